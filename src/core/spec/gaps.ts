import { asText, isObject, objectOf } from '../../../contract-tests/values/json.ts';
import { gaps as data, sections } from '../generated/data.js';
import type { GapAnswers, GapId } from './api-types.ts';
import type { ErrorShape, Json } from './json.ts';

export type { GapAnswers, GapId, Json };

export interface Gap {
  readonly id: GapId;
  readonly section: string;
  readonly question: string;
  /** The possible answers and their meanings, or … */
  readonly answers?: Readonly<Record<string, string>>;
  /** … the JSON Schema of an answer, with examples; together with `answers`, that of any other answer. */
  readonly schema?: Readonly<Record<string, Json>>;
  readonly examples?: readonly Json[];
  /** The shapes of the answers with the same names. */
  readonly shapes?: Readonly<Record<string, ErrorShape>>;
  /** Placeholders that a shape may contain: name -> JSON Schema. */
  readonly placeholders?: Readonly<Record<string, { [key: string]: Json }>>;
  readonly default: Json;
  /** Why no harmless HTTP exchange can show the answer. */
  readonly unobservable?: string;
}

/** A place of the source document that says "not shown", and its gaps. */
export interface OpenPoint {
  readonly section: string;
  readonly point: string;
  readonly gaps: readonly GapId[];
}

export interface GapLedger {
  readonly gaps: readonly Gap[];
  readonly openPoints: readonly OpenPoint[];
  readonly alsoOpen: readonly OpenPoint[];
}

export const gapLedger = (): GapLedger => data as unknown as GapLedger;

/** The title of each section of the source document (spec/requirements.yaml). */
export const sectionTitles = (): Readonly<Record<string, string>> => sections;

/** The answers that tests and probes cover: all if they are enumerable, else the examples. */
export function answersToTry(gap: Gap): readonly Json[] {
  return gap.answers ? [...Object.keys(gap.answers), ...(gap.examples ?? [])] : (gap.examples ?? [gap.default]);
}

export function answerSchema(gap: Gap): Record<string, Json> {
  if (!gap.answers) return { ...gap.schema };
  const named = { enum: Object.keys(gap.answers) };
  return gap.schema ? { anyOf: [named, { ...gap.schema }] } : named;
}

export function allowedAnswers(gap: Gap): string {
  if (gap.answers) {
    const named = Object.keys(gap.answers).join(', ');
    return gap.schema ? `${named}, or a value like ${JSON.stringify(gap.examples?.[0])}` : named;
  }
  const { anyOf } = gap.schema ?? {};
  const values = [gap.schema, ...(Array.isArray(anyOf) ? anyOf : [])].flatMap((each) => objectOf(each).enum ?? []);
  const other = gap.examples?.find(isObject);
  const like = anyOf && other ? `, or a value like ${JSON.stringify(other)}` : '';
  if (values.length > 0) return values.map(asText).join(', ') + like;
  return `a value like ${JSON.stringify(gap.examples?.[0] ?? gap.default)} (schema ${JSON.stringify(gap.schema)})`;
}

export function defaultAnswers(): GapAnswers {
  return Object.fromEntries(gapLedger().gaps.map((gap) => [gap.id, gap.default])) as unknown as GapAnswers;
}
