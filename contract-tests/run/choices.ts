import { SAMPLE_ID } from '../api/operations.ts';
import { readOnlyField, STATUSES, UNFINISHED } from '../api/records.ts';
import { isDateTime, sameValue } from '../rules/fields.ts';
import { groupBy } from '../values/group.ts';
import { asText, type JsonObject, memberOf } from '../values/json.ts';

/** What the planner sends by what it saw: a value that is there already shows nothing, nor does a filter that one record matches. */

/** What a target is known to accept for fields that are not writable. */
export interface Known {
  /** The ids of users who signed in. */
  users?: readonly string[];
  /** The ids of other recordings. */
  recordings?: readonly string[];
  vocabularyOf?: (field: string) => readonly string[];
}

const OTHER_ID = SAMPLE_ID.replace(/.$/, (last) => (last === '7' ? '3' : '7'));

/** Values other than the recording's own that a target might accept: it may validate what it writes, or empty by null. */
export function otherValues(field: string, record: JsonObject, known: Known = {}): unknown[] {
  const current = memberOf(record, field);
  return candidates(field, record, known).filter((value) => !sameValue(field, value, current));
}

function candidates(
  field: string,
  record: JsonObject,
  { users = [], recordings = [], vocabularyOf = () => [] }: Known,
): unknown[] {
  const current = memberOf(record, field);
  const isUnfinished = UNFINISHED.includes(record.status as string);
  switch (field) {
    case 'id':
      // The id of another known recording is more likely to be written than one that nothing has.
      return [...recordings, SAMPLE_ID, OTHER_ID];
    case 'user_id':
      // Whether the user exists may be looked up.
      return [...users, SAMPLE_ID, OTHER_ID, null];
    case 'status':
      // Not what processing itself would make of it: that it became so would prove nothing.
      return isUnfinished ? ['failed', null] : [...STATUSES.toReversed(), null];
    case 'diarization_enabled':
      return [!current, null];
    case 'filename': {
      const extension = /\.\w{1,5}$/.exec(asText(current))?.[0] ?? '.wav';
      // An earlier run may have left the first one behind.
      return [`overwritten-by-contract-suite${extension}`, `overwritten-once-more${extension}`, null];
    }
    case 'created_at':
    case 'updated_at':
      // Leap years, so that every day of another one exists.
      return [longAgo(current, 2000), longAgo(current, 1996), null];
    default:
      // Processing finds out the language, and may settle the others.
      return [...(isUnfinished ? [] : vocabularyOf(field).slice(0, 3)), 'other', 'another', null];
  }
}

/** Another time, in whole seconds, written as the recording writes its own. */
function longAgo(time: unknown, year: number): string {
  if (!isDateTime(time)) return `${year}-02-03T04:05:06Z`;
  return asText(time)
    .replace(/^\d{4}/, String(year))
    .replace(/(?<=[.,])\d+/, (digits) => '0'.repeat(digits.length));
}

/** Members that are called like fields of the recording, with values that it has not: else nothing shows if they are written. */
export const unlike = (members: JsonObject, record: JsonObject | undefined): JsonObject =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => {
      const field = readOnlyField(name);
      const current = field === undefined ? undefined : memberOf(record ?? {}, field);
      // In a query it is a text.
      const isThere =
        record && field !== undefined && (sameValue(field, value, current) || asText(value) === asText(current));
      return [name, isThere ? otherValues(field, record)[0] : value];
    }),
  );

/**
 * The pairs of values that keys have, the most telling one first: several keys match it, so that one that is left out shows,
 * and others have only one of the two values.
 */
export function tellingPairs(keys: readonly JsonObject[]): { provider: string; status: string }[] {
  const known = keys.filter(({ provider, status }) => typeof provider === 'string' && typeof status === 'string');
  const pairs = [...groupBy(known, ({ provider, status }) => JSON.stringify([provider, status])).values()];
  const ranked = pairs.map((own) => {
    const { provider, status } = own[0] as { provider: string; status: string };
    const only = [
      known.some((key) => key.provider === provider && key.status !== status),
      known.some((key) => key.provider !== provider && key.status === status),
    ].filter(Boolean).length;
    // A join may lose a key that has not everything.
    const isSparse = own.some((key) => Object.values(key).includes(null));
    return { pair: { provider, status }, rank: [only, Math.min(own.length, 2), Number(isSparse), own.length] };
  });
  const order = ({ rank: a }: (typeof ranked)[number], { rank: b }: (typeof ranked)[number]): number => {
    const at = a.findIndex((each, place) => each !== b[place]);
    return (b[at] ?? 0) - (a[at] ?? 0);
  };
  return ranked.toSorted(order).map(({ pair }) => pair);
}
