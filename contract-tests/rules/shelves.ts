import { type Entry, isOk, overlappingIn } from '../log/entry.ts';
import { groupBy } from '../values/group.ts';
import type { JsonObject } from '../values/json.ts';
import { once } from '../values/once.ts';
import { distinct, FILTERS, filtersOf, isDocumented, isList, listedKeys } from './documented.ts';
import { of, perLog } from './rule.ts';

/** The lists of API keys that one caller got of one tenant, and what two of them have in common (4.3). */

export interface List {
  entry: Entry;
  query: Record<string, string>;
  /** The names of its filters: none for the whole list. */
  kind: string;
  keys: JsonObject[];
}

export const BOTH = FILTERS.join();
export const isWhole = ({ kind }: List): boolean => kind === '';

/** The lists that one caller got of one tenant. */
export interface Shelf {
  lists: List[];
  /** Whole lists in the order of their answers. */
  wholes: List[];
  /** Documented requests that were refused. */
  refused: List[];
  /** Lists that overlap another one of them. */
  overlapping: ReadonlySet<Entry>;
  /** The values that the keys have in the fields that filters name. */
  values: Record<string, string[]>;
  /** The keys that were listed, from when to when, each with its provider and status. */
  seen: ReadonlyMap<string, { key: JsonObject; from: number; to: number }>;
  /** When a whole list with the same keys was requested last. */
  lasting: ReadonlyMap<string, number>;
}

/** What identifies a key, and what filters match. */
const contentOf = ({ id, provider, status }: JsonObject): string => JSON.stringify([id, provider, status]);
const contentsOf = once(({ keys }: List): string => keys.map(contentOf).toSorted().join('\n'));

/** The lists by tenant and user; those of a user's PATs apart from those of its JWTs. */
export const shelvesOf = perLog((log): Shelf[] => {
  const asked = of(log, 'api-keys').filter(
    (entry) => filtersOf(entry) && !entry.credential.flaw && entry.credential.kind !== 'masked' && entry.hasBody,
  );
  const byCaller = groupBy(asked, ({ resource, credential: { token, who = token, kind } }) =>
    JSON.stringify(log.isPartial ? [resource, token] : [resource, who, kind === 'pat']),
  );
  return [...byCaller.values()].map((own) => {
    const all = own.map((entry): List => {
      const query = filtersOf(entry) ?? {};
      return { entry, query, kind: FILTERS.filter((field) => field in query).join(), keys: listedKeys(entry) };
    });
    const lists = all.filter(({ entry }) => isDocumented(entry) && isList(entry));
    const wholes = lists.filter(isWhole).toSorted((a, b) => a.entry.end - b.entry.end);
    const seen = new Map<string, { key: JsonObject; from: number; to: number }>();
    for (const { keys, entry } of lists)
      for (const key of keys) {
        const { from, to } = seen.get(contentOf(key)) ?? { from: entry.end, to: entry.begin };
        seen.set(contentOf(key), { key, from: Math.min(from, entry.end), to: Math.max(to, entry.begin) });
      }
    const keys = lists.flatMap((list) => list.keys);
    return {
      lists,
      wholes,
      refused: all.filter(({ entry }) => !isOk(entry)),
      overlapping: overlappingIn(lists.map(({ entry }) => entry)),
      values: Object.fromEntries(FILTERS.map((field) => [field, distinct(keys, field)])),
      seen,
      lasting: new Map(wholes.map((whole) => [contentsOf(whole), whole.entry.begin])),
    };
  });
});

/** The whole list at the time of another list: the nearest one before it whose keys a whole list after it shows, too. */
export const wholeAt = ({ wholes, lasting }: Shelf, { entry }: List): List | undefined =>
  wholes.findLast((whole) => whole.entry.end <= entry.begin && (lasting.get(contentsOf(whole)) ?? 0) >= entry.end);

export const matches = (key: JsonObject, { query }: Pick<List, 'query'>): boolean =>
  Object.entries(query).every(([field, value]) => key[field] === value);

/** The keys that a list should hold: of the whole list at its time, else those that lists before and after it show. */
export function expectedIn(shelf: Shelf, list: List): JsonObject[] {
  const lasting = [...shelf.seen.values()].filter(({ from, to }) => from <= list.entry.begin && to >= list.entry.end);
  const keys = wholeAt(shelf, list)?.keys ?? lasting.map(({ key }) => key);
  return keys.filter((key) => matches(key, list));
}

/** The lists of a kind; of those that overlap another one only where there are no others. */
export function listsOf({ lists, overlapping }: Shelf, kind: string): List[] {
  const own = lists.filter((list) => list.kind === kind);
  const alone = own.filter(({ entry }) => !overlapping.has(entry));
  return alone.length > 0 ? alone : own;
}

/** The ids that `a` lists more often than `b`. */
export function missingFrom(a: readonly JsonObject[], b: readonly JsonObject[]): unknown[] {
  const other = groupBy(b, ({ id }) => id);
  const own = groupBy(a, ({ id }) => id);
  return [...own.keys()].filter((id) => (own.get(id)?.length ?? 0) > (other.get(id)?.length ?? 0));
}

const PAGE_HEADER = /^x-(total(-count|-pages)?|next-page|page|per-page)$|pagination|has-more|continuation|cursor/;

/** Whether a list says itself that it is one page of more. */
export function isPaged({ entry, keys }: Pick<List, 'entry' | 'keys'>): boolean {
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

/** Whether a whole list may be a silent page: of a usual size, which no filtered list exceeds, and without `more`. */
export function mayBePage(
  keys: readonly JsonObject[],
  more: unknown[],
  filtered: readonly { keys: unknown[] }[],
): boolean {
  if (more.length === 0 || !PAGE_SIZES.has(keys.length)) return false;
  return filtered.every((list) => list.keys.length <= keys.length) && !keys.some(({ id }) => more.includes(id));
}
