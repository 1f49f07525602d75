import type { Method } from '../api/operations.ts';
import { readSpec } from '../spec-data.ts';
import { memberOf } from '../values/json.ts';
import { lazy } from '../values/once.ts';
import type { Caller } from './questions.ts';

/** One value of a dimension. The members of these types are explained in spec/coverage.yaml. */
export interface Value {
  id: string;
  why: string;
  value?: unknown;
  odd?: true;
  join?: true;
  /** Its body is ASCII, with other characters as `\\u` and four digits. */
  isEscaped?: true;
  /** The mark of the run is added: what it shows is not at the end of the text. */
  isMarked?: true;
  with?: string;
  /** A title that follows it at once, which a careless comparison takes for the same. */
  then?: string;
  rare?: true;
  /** Another part of the run sends it. */
  elsewhere?: 'refresh' | 'rounds' | 'own-rounds';
  /** Texts of falling length: the longest one that is accepted is looked for. */
  ladder?: { text: string; likely: number; lengths: readonly number[] };
  count?: number;
}

export interface OperationModel {
  pairs?: readonly (readonly [string, string])[];
  dimensions: Readonly<Record<string, readonly Value[]>>;
}

/** A plain request of a file of `--model` (spec/schemas/model.schema.json). */
export interface OwnRequest {
  id: string;
  why: string;
  method: Method;
  path: string;
  params?: Record<string, string>;
  query?: Record<string, string>;
  json?: unknown;
  as: readonly (Caller | 'nobody')[];
  /** It changes nothing, although it is no GET. */
  reads?: true;
}

/** What may be asked of a target. */
export interface Model extends Record<'recording' | 'api-keys' | 'scopes', OperationModel> {
  /** Requests that a run plans with; `most` limits a run to which no budget is given. */
  budget: { quick: number; default: number; most: number };
  identifiers: readonly Value[];
  strangers: readonly Value[];
  requests: readonly OwnRequest[];
}

export const loadModel = lazy((): Model => ({ ...(readSpec('coverage') as Omit<Model, 'requests'>), requests: [] }));

/** The values of a dimension that a run with this budget sends. */
export function valuesOf({ dimensions }: OperationModel, dimension: string, withRare: boolean): readonly Value[] {
  return (memberOf(dimensions, dimension) ?? []).filter(({ rare }) => withRare || !rare);
}

/** A text of so many characters, which ends in a unique word: one that was cut off is no longer the same. */
export function textOfLength(text: string, length: number): string {
  const end = 'the end.';
  const characters = [...text.repeat(Math.ceil(length / [...text].length) + 1)];
  return length > 2 * end.length
    ? characters.slice(0, length - end.length).join('') + end
    : characters.slice(0, length).join('');
}

/** What of the model was asked, by the names of its values. */
export function coverageOf(model: Model, covered: ReadonlySet<string>) {
  const named = (prefix: string, values: readonly Value[]): string[] => values.map(({ id }) => `${prefix}.${id}`);
  const operations = (['recording', 'api-keys', 'scopes'] as const).flatMap((operation) =>
    Object.entries(model[operation].dimensions).flatMap(([name, values]) => named(`${operation}.${name}`, values)),
  );
  const all = [...operations, ...named('identifiers', model.identifiers), ...named('strangers', model.strangers)];
  const leftOut = all.filter((name) => !covered.has(name));
  return { values: all.length, asked: all.length - leftOut.length, leftOut };
}
