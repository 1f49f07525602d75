import type { Options } from 'ajv';
import type { ApiDocument, JsonObject } from '../spec/document.ts';
import { newAjv } from './ajv.ts';
import type { ErrorObject } from './errors.ts';

/** A compiled schema: says whether data keeps it, and leaves what is wrong in `errors`. */
export interface CompiledValidator {
  (data: unknown): boolean;
  errors?: null | ErrorObject[];
}

/** Finds a validator by its name; `undefined` where the document has nothing of that kind. */
export type Validators = (name: string) => CompiledValidator | undefined;

/** Schemas by name. Parameters arrive as text, so those that mean numbers are converted; bodies are taken as they are. */
export interface SchemaSet {
  readonly parameters: Readonly<Record<string, JsonObject>>;
  readonly bodies: Readonly<Record<string, JsonObject>>;
}

/**
 * How each half of a set is compiled, at run time and ahead of it alike. Only small components are inlined where they are
 * referred to: most are named by many operations, and a function of each is enough.
 */
export const compileOptions: { readonly [Half in keyof SchemaSet]: Options } = {
  parameters: { allErrors: true, inlineRefs: 5, coerceTypes: 'array' },
  bodies: { allErrors: true, inlineRefs: 5 },
};

/** A schema whose references are to the names of components. */
const named = (schema: JsonObject): JsonObject =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"')) as JsonObject;

type Components = ApiDocument['components'];

/** One half of a set, added to a validator: each schema under its name, and each component that they refer to. */
export function withSchemas(
  half: keyof SchemaSet,
  set: SchemaSet,
  { schemas }: Pick<Components, 'schemas'>,
  options: Options = {},
) {
  const ajv = newAjv({ ...compileOptions[half], ...options });
  for (const [name, schema] of Object.entries({ ...schemas, ...set[half] })) ajv.addSchema(named(schema), name);
  return ajv;
}

/** Compiles each schema when it is first asked for: a profile that is switched to live must not be waited for. */
export function compileWhenUsed(set: SchemaSet, components: Components): Validators {
  const [parameters, bodies] = [withSchemas('parameters', set, components), withSchemas('bodies', set, components)];
  const compiled = new Map<string, CompiledValidator | undefined>();
  return (name) => {
    if (!compiled.has(name)) {
      const found = (name in set.parameters ? parameters : bodies).getSchema(name);
      compiled.set(name, found as CompiledValidator | undefined);
    }
    return compiled.get(name);
  };
}
