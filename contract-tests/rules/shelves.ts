import { OPERATIONS } from '../api/operations.ts';
import { countFirst, type Entry, isOk, overlappingIn } from '../log/entry.ts';
import type { JsonObject } from '../values/json.ts';
import { once } from '../values/once.ts';
import { FILTERS, filtersOf, isDocumented } from './documented.ts';
import { countIds, distinct, listedKeys, listFindings } from './listed-keys.ts';
import { of, perLog, type Violation } from './rule.ts';

/** The lists of API keys that one caller got of one tenant, and what two of them have in common (4.3). */

type Query = Record<string, string>;

export interface List {
  entry: Entry;
  query: Query;
  keys: JsonObject[];
}

/** The lists that one caller got of one tenant. */
export interface Shelf {
  lists: List[];
  /** Documented requests that were refused. */
  refused: { entry: Entry; query: Query }[];
  /** Lists without filters, in the order of their answers. */
  wholes: List[];
  /** When the last whole list with the same content was requested, on the scale of the log. */
  lastBegin: Map<string, number>;
  /** Lists that overlap another one of them. */
  overlapping: ReadonlySet<Entry>;
  /** The kinds of filters of lists that overlap no other one. */
  aloneKinds: ReadonlySet<string>;
}

export const isWhole = ({ query }: { query: Query }): boolean => Object.keys(query).length === 0;

export const NAME = OPERATIONS['api-keys'].name;

/** The lists by tenant and user; those of a user's PATs apart from those of its JWTs. */
export const shelvesOf = perLog((log): Shelf[] => {
  const shelves = new Map<string, Pick<Shelf, 'lists' | 'refused'>>();
  for (const entry of of(log, 'api-keys')) {
    const query = filtersOf(entry);
    const { credential, resource } = entry;
    if (!query || credential.flaw || credential.kind === 'masked' || !entry.hasBody) continue;
    const kind = credential.kind === 'pat' ? 'pat' : 'jwt';
    const key = `${resource} ${log.isPartial ? credential.token : `${credential.who ?? credential.token} ${kind}`}`;
    const shelf = shelves.get(key) ?? { lists: [], refused: [] };
    shelves.set(key, shelf);
    if (!isOk(entry)) shelf.refused.push({ entry, query });
    else if (isDocumented(entry) && listFindings('', entry).length === 0)
      shelf.lists.push({ entry, query, keys: listedKeys(entry) });
  }
  return [...shelves.values()].map((shelf) => {
    const wholes = shelf.lists.filter(isWhole).toSorted((a, b) => a.entry.end - b.entry.end);
    const lastBegin = new Map(
      wholes.toSorted((a, b) => a.entry.begin - b.entry.begin).map((whole) => [contentOf(whole), whole.entry.begin]),
    );
    const overlapping = overlappingIn(shelf.lists.map(({ entry }) => entry));
    const alone = shelf.lists.filter((list) => !isWhole(list) && !overlapping.has(list.entry));
    const aloneKinds = new Set(alone.map(({ query }) => kindOf(query)));
    return { ...shelf, wholes, lastBegin, overlapping, aloneKinds };
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

/** A service may take the letter case of a filter as it likes; an empty one is no filter. */
const mayMatch = (key: JsonObject, query: Query): boolean =>
  Object.entries(query).every(
    ([field, value]) =>
      value.trim() === '' ||
      typeof key[field] !== 'string' ||
      (key[field] as string).toLowerCase() === value.trim().toLowerCase(),
  );

export const kindOf = (query: Query): 'provider' | 'status' | 'both' =>
  Object.keys(query).length > 1 ? 'both' : Object.keys(query)[0] === 'provider' ? 'provider' : 'status';

export const subjectOf = ({ query }: Pick<List, 'query'>): string =>
  isWhole({ query }) ? `${NAME} without filters` : `The list with ${new URLSearchParams(query)}`;

/** The whole list at the time of another list: the nearest one before it whose keys a whole list after it shows, too. */
export function wholeAt({ wholes, lastBegin }: Shelf, { entry }: Pick<List, 'entry'>): List | undefined {
  // Recordings under load have thousands of lists and few contents: often no whole list comes later at all.
  const isLater = (begin: number): boolean => begin >= entry.end;
  if (![...lastBegin.values()].some(isLater)) return undefined;
  const before = wholes.slice(
    0,
    countFirst(wholes, (whole) => whole.entry.end <= entry.begin),
  );
  return before.findLast((whole) => isLater(lastBegin.get(contentOf(whole)) ?? Number.NEGATIVE_INFINITY));
}

export const CHANGED =
  'the whole list was not seen to be the same before and after the filtered one; name a tenant in resources.tenantId that does not change during the run';

export const ONE_VALUE = (field: string): string =>
  `all API keys of the tenant have one ${field}, so a filter that does nothing would not show; name a tenant with more in resources.tenantId`;

export const isOverlapping = ({ overlapping }: Shelf, { entry }: List): boolean => overlapping.has(entry);

/** Whether a list overlaps another one, and one with such filters does not: then that one is judged. */
export const isBeside = (shelf: Shelf, list: List): boolean =>
  isOverlapping(shelf, list) && shelf.aloneKinds.has(kindOf(list.query));

const allKeys = once(({ lists }: Shelf): JsonObject[] => lists.flatMap(({ keys }) => keys));
const values = once((shelf: Shelf) =>
  Object.fromEntries(FILTERS.map((field) => [field, new Set(distinct(allKeys(shelf), field))])),
);

/** Values that the keys of a shelf have in a field that filters name. */
export const valuesIn = (shelf: Shelf, field: string): ReadonlySet<string> => values(shelf)[field] ?? new Set();

/** A key that a filter should not list. */
export function foreignIn(list: List): Omit<Violation, 'by' | 'state'> | undefined {
  const foreign = list.keys.find((key) => !mayMatch(key, list.query));
  if (!foreign) return undefined;
  const actual = Object.fromEntries(Object.keys(list.query).map((field) => [field, foreign[field]]));
  return { message: `${subjectOf(list)} holds an API key that does not match.`, expected: list.query, actual };
}

export const filteredOf = (shelf: Shelf, kind: string): List[] =>
  shelf.lists.filter((list) => !isWhole(list) && kindOf(list.query) === kind);

/** The keys of a list by id, without those that it lists twice. */
export function byId({ keys }: List): Map<unknown, JsonObject> {
  const counts = countIds(keys);
  return new Map(keys.filter(({ id }) => typeof id === 'string' && counts.get(id) === 1).map((key) => [key.id, key]));
}
