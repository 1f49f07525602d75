import { Ajv, type Options } from 'ajv';
import addFormatsModule from 'ajv-formats';
import { formats } from './formats.ts';

// ajv-formats is CommonJS: ES modules find its function one level deeper.
const addFormats = addFormatsModule.default;

/** A validator with all formats that ignores x-source and x-gap. No schema needs more than draft 7, Ajv's main class. */
export function newAjv(options: Options = {}): Ajv {
  const ajv = new Ajv({ strict: false, validateSchema: false, meta: false, ...options });
  addFormats(ajv, { mode: 'full' });
  ajv.addFormat('date-time', formats['date-time']);
  return ajv;
}
