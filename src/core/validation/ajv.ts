import { Ajv, type Options, type ValidateFunction } from 'ajv';
import addFormatsModule from 'ajv-formats';

// ajv-formats is CommonJS: under ES modules its function is one level down.
const addFormats = addFormatsModule.default;

/**
 * A JSON Schema validator with all formats; unknown keywords (x-source, x-gap) are let through. Our schemas use nothing
 * that is newer than draft 7, so Ajv's main class does, whatever dialect they name.
 */
export function newAjv(options: Options = {}): Ajv {
  const ajv = new Ajv({ strict: false, validateSchema: false, ...options });
  addFormats(ajv, { mode: 'full' });
  return ajv;
}

export type { ValidateFunction };
