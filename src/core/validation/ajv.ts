import { Ajv, type Options } from 'ajv';
import addFormatsModule from 'ajv-formats';
import { formats } from './formats.ts';

// ajv-formats is CommonJS: ES modules find its function one level deeper.
const addFormats = addFormatsModule.default;

/**
 * A JSON Schema validator with all formats; unknown keywords (x-source, x-gap) are ignored. The schemas use no keyword
 * newer than draft 7, so Ajv's main class supports them all.
 */
export function newAjv(options: Options = {}): Ajv {
  const ajv = new Ajv({ strict: false, validateSchema: false, meta: false, ...options });
  addFormats(ajv, { mode: 'full' });
  ajv.addFormat('date-time', formats['date-time']);
  return ajv;
}
