import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { UsageError } from '../errors.ts';
import { packageRoot } from '../spec-data.ts';
import { asText } from '../values/json.ts';

const require = createRequire(import.meta.url);

/** What to add to a message about a name that is none of these. */
export type DidYouMean = (unknown: string, known: readonly string[]) => string;

export type Where = (path: string[]) => string;

type SchemaName = 'target' | 'model' | 'profile' | 'baseline';

/** How a value differs from spec/schemas/NAME.schema.json, with place and reason; undefined where it does not. */
export function problemBySchema(name: SchemaName, value: unknown, where: Where, didYouMean?: DidYouMean) {
  // The build compiles the schemas: most commands need none of them, and Ajv takes longer than a tenth of a run.
  const validate: ValidateFunction = require(resolve(packageRoot, `dist/spec/${name}-check.cjs`));
  if (validate(value)) return undefined;
  // A name that is not known before one that is missing: that may be what it should have been.
  const rank = ({ instancePath, keyword }: ErrorObject): number =>
    2 * instancePath.length + Number(keyword === 'additionalProperties');
  const [error] = (validate.errors ?? []).toSorted((a, b) => rank(b) - rank(a)) as [ErrorObject];
  const path = error.instancePath.split('/').slice(1);
  if (error.keyword !== 'additionalProperties') {
    const allowed =
      error.keyword === 'enum' ? `: ${(error.params.allowedValues as unknown[]).map(asText).join(', ')}` : '';
    return `${where(path)}: ${path.join('.') || `the ${name}`} ${error.message ?? 'is invalid'}${allowed}.`;
  }
  const unknown = asText(error.params.additionalProperty);
  const known = Object.keys((error.parentSchema as { properties?: object }).properties ?? {});
  const among = known.length > 0 ? `; known are: ${known.join(', ')}` : '';
  // A question ends the sentence.
  const hint = didYouMean?.(unknown, known) || '.';
  return `${where([...path, unknown])}: ${[...path, unknown].join('.')} is not known${among}${hint}`;
}

/** A value that is as spec/schemas/NAME.schema.json says. Throws UsageError with place and reason. */
export function checkBySchema<T>(name: SchemaName, value: unknown, where: Where, didYouMean?: DidYouMean): T {
  const problem = problemBySchema(name, value, where, didYouMean);
  if (problem !== undefined) throw new UsageError(problem);
  return value as T;
}
