import { _, Ajv, type ErrorObject, type KeywordCxt, type Options } from 'ajv';
import addFormatsModule from 'ajv-formats';
import { hasMember } from '../../../contract-tests/values/json.ts';
import type { ApiDocument, JsonObject } from '../spec/document.ts';
import { formats } from './formats.ts';
import type { schemasOf } from './schemas.ts';

// ajv-formats is CommonJS: ES modules find its function one level deeper.
const addFormats = addFormatsModule.default;

/** A validator with all formats that ignores x-source and x-gap. No schema needs more than draft 7, Ajv's main class. */
export function newAjv(options: Options = {}): Ajv {
  const ajv = new Ajv({ strict: false, validateSchema: false, meta: false, ...options });
  addFormats(ajv, { mode: 'full' });
  // Its own one calls `valueOf` and `toString` of data.
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must NOT have duplicate items' },
    code(context: KeywordCxt) {
      const { data, schema } = context;
      if (schema) context.fail(_`new Set(${data}.map((item) => JSON.stringify(item))).size < ${data}.length`);
    },
  });
  ajv.addFormat('date-time', formats['date-time']);
  return ajv;
}

/** A compiled schema: returns whether data is valid, and sets `errors`. */
export interface CompiledValidator {
  (data: unknown): boolean;
  errors?: null | ErrorObject[];
}

/** Finds a validator by name; `undefined` if the document has no such schema. */
export type Validators = (name: string) => CompiledValidator | undefined;

/** Schemas by name. Parameters are sent as text, so numbers are coerced; bodies are not. */
export type SchemaSet = Readonly<ReturnType<typeof schemasOf>>;

/** A schema whose references name components by their plain names. */
const named = (schema: JsonObject): JsonObject =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"')) as JsonObject;

type Components = ApiDocument['components'];

/** An Ajv instance with one half of a set by name, and each component that it refers to: most are too large to be inlined everywhere. */
export function withSchemas(
  half: keyof SchemaSet,
  set: SchemaSet,
  { schemas }: Pick<Components, 'schemas'>,
  options: Options = {},
) {
  const coerceTypes = half === 'parameters' && 'array';
  const ajv = newAjv({ allErrors: true, inlineRefs: 5, coerceTypes, ...options });
  for (const [name, schema] of Object.entries({ ...schemas, ...set[half] })) ajv.addSchema(named(schema), name);
  return ajv;
}

/** Compiles each schema on first use, so that switching profiles at run time is fast. */
export function compileWhenUsed(set: SchemaSet, components: Components): Validators {
  const halves: Partial<Record<keyof SchemaSet, ReturnType<typeof withSchemas>>> = {};
  const compiled = new Map<string, CompiledValidator | undefined>();
  return (name) => {
    if (!compiled.has(name)) {
      const half = hasMember(set.parameters, name) ? 'parameters' : 'bodies';
      halves[half] ??= withSchemas(half, set, components);
      compiled.set(name, halves[half].getSchema(name) as CompiledValidator | undefined);
    }
    return compiled.get(name);
  };
}
