import { OPERATIONS } from '../api/operations.ts';
import { gapOf, readSpec } from '../spec-data.ts';
import { isSuccess } from '../values/answer.ts';
import { asText, findStrings, mapJson, objectOf } from '../values/json.ts';
import { lazy } from '../values/once.ts';
import type { Difference, Pair } from './compare.ts';
import type { Interaction } from './recording.ts';

/** Why an answer differs: a documented statement, a gap, a limit that the document may not show, or nothing that the recording says. */
export type Cause =
  | { kind: 'documented'; section: string }
  | { kind: 'gap'; gap: string; section: string }
  | { kind: 'limit'; section: string }
  | { kind: 'unnamed' };

/** Gaps that the mock names only where their answer is not the default, by what they may change. */
const SILENT = { further: 'extra-fields', time: 'timestamp-form', success: 'success-codes', list: 'pagination' };
/** What decides nothing but how a refusal looks. */
const OF_ERRORS = ['error-body', 'error-codes'];
const isStatus = (gap: string): boolean => gap.endsWith('-status');
/** Whether a gap of a status has that one among its answers. */
const mayBe = (gap: string, status: number): boolean =>
  findStrings(gapOf(gap).schema, ['number']).some(({ value }) => value === asText(status));
/** Bad credentials must be refused, with any status. */
const OF_CREDENTIALS = ['missing-credentials-status', 'invalid-credentials-status'];
const isShape = (gap: string): boolean => gap.endsWith('-response');
/** What decides values alone. */
const OF_VALUES = [
  ...['scope-values', 'method-values', 'quality-values', 'language-values', 'key-status-values', 'timestamp-form'],
  ...['pat-prefix', 'access-token-lifetime', 'refresh-lifetime', 'pat-lifetime'],
];
/** What a request of no documented operation shows. */
const OF_OTHERS = 'other-capabilities';

/**
 * Names the cause of a difference by what the mock said of the recorded answer (X-Mock-Basis).
 * @param isReshaped whether the answer lacks members, too, so that further ones are those in another shape
 */
export function causeOf(
  difference: Difference,
  { gaps, operation }: Interaction,
  pair: Pair,
  isReshaped: boolean,
): Cause {
  const section = sectionOf(operation === undefined ? undefined : OPERATIONS[operation].id);
  const own = gaps ?? [];
  const gap = (...ids: (string | undefined)[]): Cause | undefined => {
    const id = ids.find((each) => each !== undefined);
    return id === undefined ? undefined : { kind: 'gap', gap: id, section: gapOf(id).section };
  };
  const first = (isOne: (id: string) => boolean): string | undefined => own.find(isOne);
  const [wasOk, isOk] = [isSuccess(pair.recorded), isSuccess(pair.actual)];
  const decides = first((id) => ![...OF_ERRORS, ...OF_VALUES].includes(id) && !isStatus(id) && !isShape(id));
  const { status } = pair.actual.response;
  const other = operation === undefined ? gap(decides, OF_OTHERS) : undefined;
  const last: Cause = gaps === undefined ? { kind: 'unnamed' } : (other ?? { kind: 'documented', section });
  // What is refused in the recording may be hidden at the target: a path that it does not have, or something of other people.
  const hiding =
    operation === 'scopes'
      ? gaps && 'scopes-path'
      : first((id) => ['foreign-recording', 'foreign-tenant'].includes(id));
  switch (difference.kind) {
    case 'status':
      if (wasOk && isOk) return gap(SILENT.success) ?? last;
      if (wasOk) return gap(decides) ?? (gaps === undefined ? last : { kind: 'limit', section });
      if (isOk)
        return (
          gap(
            decides,
            first((id) => isStatus(id) && !OF_CREDENTIALS.includes(id)),
          ) ?? last
        );
      return (
        gap(
          status === 404 ? hiding : undefined,
          first((id) => isStatus(id) && mayBe(id, status)),
          decides,
          first(isStatus),
        ) ?? last
      );
    case 'error-body':
      return gap('error-body') ?? last;
    case 'error-code':
      return gap('error-codes') ?? last;
    case 'media-type':
      return (wasOk ? undefined : gap('error-body')) ?? last;
    case 'further':
      return gap(isReshaped ? first(isShape) : undefined, SILENT.further) ?? last;
    case 'shape':
      if (/(_at|time|date)$/i.test(difference.at)) return gap(first(isShape), SILENT.time) ?? last;
      if (difference.at === '' && difference.expected === 'array') return gap(first(isShape), SILENT.list) ?? last;
      return gap(first(isShape)) ?? last;
    case 'filter':
      return gap(first((id) => ['unknown-provider-filter', 'unknown-query', 'pagination'].includes(id))) ?? last;
    default:
      return gap(isDocumented(difference.at) ? undefined : SILENT.further, first(isShape), decides) ?? last;
  }
}

/** The names of all members that the document shows. */
const members = lazy(() => {
  const names = new Set<string>();
  mapJson(readSpec('openapi'), (part, path) => {
    if (path.at(-1) === 'properties') for (const name of Object.keys(objectOf(part))) names.add(name);
    return part;
  });
  return names;
});

const isDocumented = (at: string): boolean => members().has(at.split('.').at(-1) ?? '');

/** The section of the document that describes each operation. */
const sections = lazy(
  () =>
    new Map(
      Object.values(objectOf(objectOf(readSpec('openapi')).paths))
        .flatMap((item) => Object.values(objectOf(item)))
        .map(objectOf)
        .map((operation) => [operation.operationId, asText(operation['x-source'] ?? '')] as const),
    ),
);

const sectionOf = (id: string | undefined): string => sections().get(id) || '4';
