import { OPERATIONS } from '../api/operations.ts';
import { type Entry, isOk, overlappingIn } from '../log/entry.ts';
import { groupBy } from '../values/group.ts';
import type { JsonObject } from '../values/json.ts';
import { once } from '../values/once.ts';
import { distinct, FILTERS, filtersOf, isDocumented, isList, listedKeys } from './documented.ts';
import { of, perLog } from './rule.ts';

/** The lists of API keys that one caller got of one tenant, and what two of them have in common (4.3). */

export type Query = Record<string, string>;

export interface Asked {
  entry: Entry;
  query: Query;
}

export interface List extends Asked {
  keys: JsonObject[];
}

/** The lists that one caller got of one tenant. */
export interface Shelf {
  lists: List[];
  /** Documented requests that were refused. */
  refused: Asked[];
  /** Lists that overlap another one of them. */
  overlapping: ReadonlySet<Entry>;
}

export const isWhole = ({ query }: Asked): boolean => Object.keys(query).length === 0;

export const NAME = OPERATIONS['api-keys'].name;

/** The lists by tenant and user; those of a user's PATs apart from those of its JWTs. */
export const shelvesOf = perLog((log): Shelf[] => {
  const asked = of(log, 'api-keys').filter(
    (entry) => filtersOf(entry) && !entry.credential.flaw && entry.credential.kind !== 'masked' && entry.hasBody,
  );
  const byCaller = groupBy(asked, ({ resource, credential: { token, who = token, kind } }) =>
    JSON.stringify(log.isPartial ? [resource, token] : [resource, who, kind === 'pat']),
  );
  return [...byCaller.values()].map((own) => {
    const all = own.map((entry) => ({ entry, query: filtersOf(entry) ?? {}, keys: listedKeys(entry) }));
    const lists = all.filter(({ entry }) => isDocumented(entry) && isList(entry));
    const refused = all.filter(({ entry }) => !isOk(entry));
    return { lists, refused, overlapping: overlappingIn(lists.map(({ entry }) => entry)) };
  });
});

/** What identifies the keys of a list, and what filters match. */
export const contentOf = once(({ keys }: List): string =>
  keys
    .map(({ id, provider, status }) => JSON.stringify([id, provider, status]))
    .toSorted()
    .join('\n'),
);

export const matches = (key: JsonObject, query: Query): boolean =>
  Object.entries(query).every(([field, value]) => key[field] === value);

export const kindOf = ({ query }: Asked): 'provider' | 'status' | 'both' =>
  Object.keys(query).length > 1 ? 'both' : 'provider' in query ? 'provider' : 'status';

export const subjectOf = (asked: Asked): string =>
  isWhole(asked) ? `${NAME} without filters` : `The list with ${new URLSearchParams(asked.query)}`;

/** The whole lists in the order of their answers, and when the last one with the same content was requested. */
const wholesIn = once(({ lists }: Shelf) => {
  const wholes = lists.filter(isWhole).toSorted((a, b) => a.entry.end - b.entry.end);
  const lastBegin = new Map<string, number>();
  for (const whole of wholes) {
    const known = lastBegin.get(contentOf(whole)) ?? whole.entry.begin;
    lastBegin.set(contentOf(whole), Math.max(known, whole.entry.begin));
  }
  return { wholes, lastBegin, latest: Math.max(...lastBegin.values()) };
});

/** The whole list at the time of another list: the nearest one before it whose keys a whole list after it shows, too. */
export function wholeAt(shelf: Shelf, { entry }: Asked): List | undefined {
  const { wholes, lastBegin, latest } = wholesIn(shelf);
  if (latest < entry.end) return undefined;
  return wholes.findLast(
    (whole) => whole.entry.end <= entry.begin && (lastBegin.get(contentOf(whole)) ?? 0) >= entry.end,
  );
}

const valuesByField = once(({ lists }: Shelf) => {
  const keys = lists.flatMap((list) => list.keys);
  return Object.fromEntries(FILTERS.map((field) => [field, new Set(distinct(keys, field))]));
});

/** Values that the keys of a shelf have in a field that filters name. */
export const valuesIn = (shelf: Shelf, field: string): ReadonlySet<string> =>
  valuesByField(shelf)[field] ?? new Set<string>();

/** The lists with filters of a kind. */
export const filteredOf = ({ lists }: Shelf, kind: string): List[] =>
  lists.filter((list) => !isWhole(list) && kindOf(list) === kind);

/** Whether a list overlaps another one, and one with such filters does not: then that one is judged. */
export const isBeside = (shelf: Shelf, list: List): boolean =>
  shelf.overlapping.has(list.entry) &&
  filteredOf(shelf, kindOf(list)).some(({ entry }) => !shelf.overlapping.has(entry));

/** How often a list has each id: lists are compared in any order. */
function countIds(keys: readonly JsonObject[]): Map<unknown, number> {
  const counts = new Map<unknown, number>();
  for (const { id } of keys) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/** The ids that `a` lists more often than `b`. */
export function missingFrom(a: readonly JsonObject[], b: readonly JsonObject[]): unknown[] {
  const other = countIds(b);
  return [...countIds(a)].filter(([id, count]) => count > (other.get(id) ?? 0)).map(([id]) => id);
}

/** The keys of a list by id, without those that it lists twice. */
export function byId({ keys }: List): Map<unknown, JsonObject> {
  const counts = countIds(keys);
  return new Map(keys.filter(({ id }) => typeof id === 'string' && counts.get(id) === 1).map((key) => [key.id, key]));
}

const PAGE_HEADER = /^x-(total(-count|-pages)?|next-page|page|per-page)$|pagination|has-more|continuation|cursor/;

/** Whether a list says itself that it is one page of more. */
export function isPaged({ entry, keys }: List): boolean {
  const { status, headers } = entry.answer.response;
  const range = headers['content-range'];
  const totals = [headers['x-total'], headers['x-total-count'], range?.split('/')[1]];
  if (totals.some((total) => total?.trim() === String(keys.length))) return false;
  if (status === 206 || range !== undefined || /rel="?next/i.test(headers.link ?? '')) return true;
  return Object.entries(headers).some(
    ([name, value]) => PAGE_HEADER.test(name) && !/^(false|no|0)?$/i.test(value.trim()),
  );
}

/** Usual page sizes where pages are not requested; a list that ends below ten has lost the others. */
const PAGE_SIZES = new Set([10, 15, 20, 25, 30, 40, 50, 100, 200, 250, 500, 1000]);

/** Whether the unfiltered list may be a silent page: of a usual size, which no filtered list exceeds, and without `more`. */
export function mayBePage(keys: readonly JsonObject[], more: unknown[], filtered: readonly List[]): boolean {
  if (more.length === 0 || !PAGE_SIZES.has(keys.length)) return false;
  return filtered.every((list) => list.keys.length <= keys.length) && !keys.some(({ id }) => more.includes(id));
}
