import type { Options } from 'ajv';
import type { JsonObject } from '../spec/document.ts';
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

/** How each half of a set is compiled, at run time and ahead of it alike. */
export const compileOptions: { readonly [Half in keyof SchemaSet]: Options } = {
  parameters: { allErrors: true, coerceTypes: 'array' },
  bodies: { allErrors: true },
};

/** A schema with references to the document that it stands in. */
const rooted = (schema: JsonObject): JsonObject =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components')) as JsonObject;

/** One half of a set, added to a validator: each schema under its name, and the components that they refer to. */
export function withSchemas(half: keyof SchemaSet, set: SchemaSet, components: object, options: Options = {}) {
  const ajv = newAjv({ ...compileOptions[half], ...options });
  ajv.addSchema({ $id: 'document', components });
  for (const [name, schema] of Object.entries(set[half])) ajv.addSchema(rooted(schema), name);
  return ajv;
}

/** Compiles each schema when it is first asked for: a profile that is switched to live must not be waited for. */
export function compileWhenUsed(set: SchemaSet, components: object): Validators {
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
