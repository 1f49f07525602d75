import { asNumber, asText, hasMember, memberOf } from '../../../contract-tests/values/json.ts';
import { lazy } from '../../../contract-tests/values/once.ts';
import type { ErrorKind } from './api-types.ts';
import { type ApiDocument, apiTemplate, isObject, operationsOf } from './document.ts';
import { defaultAnswers, type GapAnswers, type GapId, type Json } from './gaps.ts';

export type { ErrorKind };

interface KindDefinition {
  readonly title: string;
  /** For programs; without it, a code follows from the status. */
  readonly code?: string;
  readonly gap: GapId;
  readonly status?: number;
  readonly cases?: Readonly<Record<string, number | ErrorKind | null>>;
}

/** An error kind under the answers in force: status, title and the gaps that decided them. */
export interface ResolvedKind {
  readonly kind: ErrorKind;
  readonly status: number;
  readonly title: string;
  readonly gaps: readonly GapId[];
}

const definitions = () => apiTemplate()['x-error-kinds'] as unknown as Readonly<Record<ErrorKind, KindDefinition>>;

/** The keys of x-error-kinds in spec/openapi.yaml. */
export const errorKinds = () => Object.keys(definitions()) as ErrorKind[];

/** The explicit code of a kind, if it has one. */
export const codeOfKind = (kind: ErrorKind): string | undefined => definitions()[kind].code;

/** The ids of operations of which only the query can be invalid. */
const withoutBody = lazy(() =>
  operationsOf(apiTemplate() as unknown as ApiDocument).flatMap(({ operation }) =>
    operation.requestBody === undefined ? [operation.operationId] : [],
  ),
);

/** Resolves an error kind, which may differ by operation; `null` if the answers in force do not make it an error. */
export function resolveKind(kind: ErrorKind, answers: GapAnswers, operation?: string): ResolvedKind | null {
  const { title, gap, status: fixed, cases } = definitions()[kind];
  const answer: unknown = answers[gap];
  const withStatus = (status: number): ResolvedKind => ({ kind, status, title, gaps: [gap] });
  if (fixed !== undefined) return withStatus(fixed);
  if (!cases) {
    const place = withoutBody().some((id) => id === operation) ? 'query' : 'body';
    const own: unknown = isObject(answer) ? (memberOf(answer, operation ?? '') ?? memberOf(answer, place)) : answer;
    // A body of any media type may be accepted; an encoding that is unknown is refused nevertheless.
    return withStatus(asNumber(typeof own === 'number' ? own : defaultAnswers()[gap]));
  }

  const outcome = memberOf(cases, asText(answer));
  if (outcome === null || outcome === undefined) return null;
  if (typeof outcome === 'number') return withStatus(outcome);
  const other = resolveKind(outcome, answers, operation);
  return other && { ...other, gaps: [gap, ...other.gaps] };
}

/** What becomes of a body of another media type at an operation (gap media-type-status). */
export function mediaTypeAnswer({ 'media-type-status': answer }: GapAnswers, operation: string) {
  return typeof answer === 'object' ? (memberOf(answer, operation) ?? 415) : answer;
}

/** What becomes of unknown fields of a body at an operation (gap unknown-field). */
export function unknownFieldAnswer({ 'unknown-field': answer }: GapAnswers, operation: string) {
  const own = typeof answer === 'object' ? memberOf(answer, operation) : operation === 'updateRecording' && answer;
  return own || 'ignore';
}

/** Whether `value` is a list of known kinds, as x-errors must be. */
export const isKindList = (value: Json | undefined): value is ErrorKind[] =>
  Array.isArray(value) && value.every((item) => !isObject(item) && hasMember(definitions(), asText(item)));
