import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { UsageError } from '../errors.ts';
import { packageRoot } from '../spec-data.ts';

const require = createRequire(import.meta.url);

/** The validator of JSON schemas, loaded on first use: most commands do without. */
export const ajvLibrary = (): typeof import('ajv') => require('ajv') as typeof import('ajv');

/** What to add to a message about a name that is none of these. */
export type DidYouMean = (unknown: string, known: readonly string[]) => string;

/** `file:line` of a path. */
export type Where = (path: string[]) => string;

const options = { allErrors: true, allowUnionTypes: true, validateFormats: false, verbose: true } as const;
const validators = new Map<string, ValidateFunction>();

/** A value that is as spec/schemas/NAME.schema.json says. Throws UsageError with place and reason. */
export function checkBySchema<T>(
  name: 'target' | 'model' | 'profile' | 'baseline',
  value: unknown,
  where: Where,
  didYouMean?: DidYouMean,
): T {
  const validate = validators.get(name) ?? compiled(name);
  validators.set(name, validate);
  if (validate(value)) return value as T;
  // A name that is not known before one that is missing: that may be what it should have been.
  const rank = ({ instancePath, keyword }: ErrorObject): number =>
    2 * instancePath.length + Number(keyword === 'additionalProperties');
  const [error] = (validate.errors ?? []).toSorted((a, b) => rank(b) - rank(a)) as [ErrorObject];
  throw new UsageError(describe(name, error, where, didYouMean));
}

function compiled(name: string): ValidateFunction {
  const { Ajv } = ajvLibrary();
  const schema = JSON.parse(readFileSync(resolve(packageRoot, `spec/schemas/${name}.schema.json`), 'utf8')) as object;
  // The schemas are our own: the one that would judge them takes longer than they do.
  return new Ajv({ ...options, validateSchema: false, meta: false }).compile(schema);
}

function describe(name: string, error: ErrorObject, where: Where, didYouMean?: DidYouMean): string {
  const path = error.instancePath.split('/').slice(1);
  const field = path.join('.') || `the ${name}`;
  if (error.keyword === 'additionalProperties') {
    const unknown = String(error.params.additionalProperty);
    const known = Object.keys((error.parentSchema as { properties?: object } | undefined)?.properties ?? {});
    const among = known.length > 0 ? `; known are: ${known.join(', ')}` : '';
    const hint = didYouMean?.(unknown, known) ?? '';
    // A question ends the sentence.
    return `${where([...path, unknown])}: ${[...path, unknown].join('.')} is not known${among}${hint || '.'}`;
  }
  const allowed = error.keyword === 'enum' ? `: ${(error.params.allowedValues as unknown[]).join(', ')}` : '';
  return `${where(path)}: ${field} ${error.message ?? 'is invalid'}${allowed}.`;
}
