import { statusOf } from '../log/entry.ts';
import { type JsonObject, show } from '../values/json.ts';
import { FILTERS } from './documented.ts';
import {
  isOdd,
  type Judged,
  type Judgement,
  type Open,
  open,
  type Rule,
  refused,
  shown,
  type Violation,
  violated,
} from './rule.ts';
import {
  type Asked,
  filteredOf,
  isBeside,
  isPaged,
  isWhole,
  kindOf,
  type List,
  matches,
  mayBePage,
  missingFrom,
  type Query,
  type Shelf,
  shelvesOf,
  subjectOf,
  valuesIn,
  wholeAt,
} from './shelves.ts';

/** What filters list: nothing else, and all of it; and what the whole list and the filtered ones say of each other (4.3). */

const OTHER_TENANT = 'name a tenant with more in resources.tenantId';
const oneValue = (field: string): Open =>
  open(`all API keys of the tenant have one ${field}, so a filter that does nothing would not show; ${OTHER_TENANT}`);
const CHANGED = open(
  'the whole list was not seen to be the same before and after the filtered one; name a tenant in resources.tenantId that does not change during the run',
);

/** A service may take the letter case of a filter as it likes; an empty one is no filter. */
const mayMatch = (key: JsonObject, query: Query): boolean =>
  Object.entries(query).every(([field, value]) => {
    const [wanted, own] = [value.trim().toLowerCase(), key[field]];
    return wanted === '' || typeof own !== 'string' || own.toLowerCase() === wanted;
  });

/** A key that a filter should not list. */
export function judgeForeign(list: List): Violation | undefined {
  const foreign = list.keys.find((key) => !mayMatch(key, list.query));
  if (!foreign) return undefined;
  const actual = Object.fromEntries(Object.keys(list.query).map((field) => [field, foreign[field]]));
  return violated(`${subjectOf(list)} holds an API key that does not match.`, list.query, actual, list.entry);
}

const idOf = ({ id, provider, status }: JsonObject): string => JSON.stringify([id, provider, status]);

/** Lists of one caller that are compared each with each. */
const MAX_LISTS = 400;

/** The keys that lists before and after a list show, with the same provider and status: they were there meanwhile. */
function lastingAt({ lists }: Shelf, { entry }: List): JsonObject[] {
  if (lists.length > MAX_LISTS) return [];
  const before = lists.filter((each) => each.entry.end <= entry.begin).flatMap(({ keys }) => keys);
  const after = lists.filter((each) => each.entry.begin >= entry.end).flatMap(({ keys }) => keys.map(idOf));
  return [...new Map(before.map((key) => [idOf(key), key])).values()].filter((key) => after.includes(idOf(key)));
}

/** The keys that a list should hold: of the whole list at its time, else those that were there meanwhile. */
function expectedOf(shelf: Shelf, list: List): { whole: List | undefined; keys: JsonObject[] } {
  const whole = wholeAt(shelf, list);
  return { whole, keys: (whole?.keys ?? lastingAt(shelf, list)).filter((key) => matches(key, list.query)) };
}

/** Keys that a filter should list. */
export function judgeMissing(shelf: Shelf, list: List): Violation | undefined {
  const { whole, keys } = expectedOf(shelf, list);
  const missing = missingFrom(keys, list.keys);
  if (missing.length === 0) return undefined;
  const message = `${subjectOf(list)} leaves out API keys that the lists before and after it hold.`;
  const ids = keys.map(({ id }) => id);
  return violated(message, ids, { missing }, ...(whole ? [whole.entry] : []), list.entry);
}

function judgeOnly(shelf: Shelf, list: List): Judged {
  const { field = '' } = { field: Object.keys(list.query)[0] };
  return judgeForeign(list) ?? (valuesIn(shelf, field).size > 1 ? shown(list.entry) : oneValue(field));
}

function judgeComplete(shelf: Shelf, list: List): Judged {
  const { whole, keys } = expectedOf(shelf, list);
  const missing = judgeMissing(shelf, list);
  if (missing) return missing;
  if (!whole) return CHANGED;
  return keys.length > 0 || kindOf(list) === 'both' ? shown(whole.entry, list.entry) : [];
}

/** A filter accepts what its field holds: a caller who gets the whole list gets a filtered one. */
function judgeRefused(shelf: Shelf, { entry, query }: Asked): Judged {
  if (statusOf(entry) === 401 || isOdd(entry)) return [];
  const isKnown = Object.entries(query).every(([field, value]) => valuesIn(shelf, field).has(value));
  const { token } = entry.credential;
  const control = shelf.lists.find((list) => isWhole(list) && list.entry.credential.token === token)?.entry;
  const message = `${subjectOf({ entry, query })}, a value that API keys have, was refused.`;
  return isKnown && control ? refused(message, control, entry) : [];
}

const refusedOf = (shelf: Shelf, kind: string): Judgement[] =>
  shelf.refused.filter((each) => !isWhole(each) && kindOf(each) === kind).flatMap((each) => judgeRefused(shelf, each));

function filterRule(
  kind: 'provider' | 'status' | 'both',
  name: string,
  requirement: string,
  title: string,
  judge: (shelf: Shelf, list: List) => Judged,
): Rule {
  const lists = (shelf: Shelf) => filteredOf(shelf, kind).filter((list) => !isBeside(shelf, list));
  return {
    id: `keys-filter-${name}`,
    requirements: [requirement],
    title,
    judge: (log) =>
      shelvesOf(log).flatMap((shelf) => [
        ...refusedOf(shelf, kind),
        ...lists(shelf).flatMap((list) => judge(shelf, list)),
      ]),
  };
}

/** Keys that a filtered list holds more often than the whole list. */
function judgeAdded(shelf: Shelf, list: List): Judged {
  const whole = wholeAt(shelf, list);
  if (!whole) return CHANGED;
  if (isPaged(whole)) return open('the list says that it is one page of more, and how pages work is not documented');
  const more = missingFrom(list.keys, whole.keys);
  // Of a tenant without API keys nothing shows.
  if (more.length === 0) return whole.keys.length > 0 ? shown(whole.entry, list.entry) : [];
  const filtered = shelf.lists.filter((each) => !isWhole(each));
  if (mayBePage(whole.keys, more, filtered))
    return open(
      'filtered lists hold API keys that the whole list does not, which has as many as a page usually has, and how pages work is not documented; name a tenant with fewer in resources.tenantId',
    );
  const message = `${subjectOf(list)} holds API keys that the whole lists before and after it do not.`;
  return violated(message, 'those of the whole list only', { more }, whole.entry, list.entry);
}

/** Whether a list by both filters holds what the list of one of them says, which may be whole where that without filters is a page. */
const isBothOfSingles = (shelf: Shelf, list: List): boolean =>
  FILTERS.flatMap((field) => filteredOf(shelf, field)).some((single) => {
    const expected = single.keys.filter((key) => matches(key, list.query));
    return (
      matchesQuery(single, list) &&
      expected.length > 0 &&
      expected.length === list.keys.length &&
      missingFrom(expected, list.keys).length === 0
    );
  });

const matchesQuery = ({ query }: Asked, list: Asked): boolean =>
  Object.entries(query).every(([field, value]) => list.query[field] === value);

function judgeBoth(shelf: Shelf, list: List): Judged {
  const added = isBothOfSingles(shelf, list) ? shown(list.entry) : judgeAdded(shelf, list);
  const rest = [judgeComplete(shelf, list), added].flat();
  const problems = [judgeForeign(list) ?? [], ...rest].flat().filter(({ state }) => state === 'violated');
  if (problems.length > 0) return problems;
  if (FILTERS.every((field) => valuesIn(shelf, field).size < 2))
    return open(`all API keys of the tenant have one provider and one status; ${OTHER_TENANT}`);
  const unknown = rest.filter(({ state }) => state === 'open');
  return unknown.length > 0 ? unknown : rest.slice(0, 1);
}

const only = (field: string): string =>
  `the ${field} filter accepts the value of the ${field} field and lists nothing of another ${field}`;
const every = (field: string): string => `the ${field} filter lists every API key of that ${field}`;

export const filterRules: readonly Rule[] = [
  filterRule('provider', 'provider-only', 'KEY-11', only('provider'), judgeOnly),
  filterRule('provider', 'provider-whole', 'KEY-12', every('provider'), judgeComplete),
  filterRule('status', 'status-only', 'KEY-13', only('status'), judgeOnly),
  filterRule('status', 'status-whole', 'KEY-14', every('status'), judgeComplete),
  filterRule('both', 'both', 'KEY-15', 'both filters together list exactly the API keys that match both', judgeBoth),
];

export const partition: Rule = {
  id: 'keys-filters-partition',
  requirements: ['KEY-16'],
  title: 'without a filter the list holds what the filters partition',
  judge: (log) =>
    shelvesOf(log).flatMap((shelf) => {
      const singles = FILTERS.flatMap((field) => filteredOf(shelf, field)).filter(
        ({ entry }) => !shelf.overlapping.has(entry),
      );
      return [
        singles.flatMap((list) => judgeAdded(shelf, list)),
        judgeUnfindable(shelf, singles),
        judgeReturning(shelf),
        judgeReplaced(shelf),
        judgeWriting(shelf),
      ].flat();
    }),
};

/** A filter that changed several keys, as no other client does. */
function judgeWriting({ lists }: Shelf): Judged {
  const wholes = lists.filter(isWhole);
  return wholes.slice(1).flatMap((list, at): Judged => {
    const before = wholes[at] as List;
    const between = lists.slice(lists.indexOf(before) + 1, lists.indexOf(list));
    const culprit = between.find(({ query }) => {
      const others = before.keys.filter((key) => !matches(key, query)).map(({ id }) => id);
      return list.keys.filter((key) => matches(key, query) && others.includes(key.id)).length > 1;
    });
    if (!culprit) return [];
    const message = `${subjectOf(culprit)} changed the API keys: the next whole list shows the values of the filter.`;
    const [expected, actual] = [before, list].map(({ keys }) =>
      keys.map(({ id, provider, status }) => ({ id, provider, status })),
    );
    return violated(message, expected, actual, before.entry, culprit.entry, list.entry);
  });
}

/** Two whole lists, one right after the other, that have no key in common: people do not replace several at once. */
function judgeReplaced({ lists }: Shelf): Judged {
  return lists.slice(1).flatMap((list, at): Judged => {
    const last = lists[at] as List;
    if (![last, list].every((each) => isWhole(each) && each.keys.length > 2)) return [];
    if (list.keys.some(({ id }) => last.keys.some((key) => key.id === id))) return [];
    const [expected, actual] = [last, list].map(({ keys }) => keys.map(({ id }) => id));
    const message = 'Two whole lists, one right after the other, have no API key in common.';
    const finding = violated(message, expected, actual, last.entry, list.entry);
    return ['KEY-16', 'KEY-15'].map((requirement) => ({ ...finding, requirement }));
  });
}

/** An API key of the whole list that the filter of neither its provider nor its status finds. */
function judgeUnfindable(shelf: Shelf, singles: readonly List[]): Judged {
  const whole = singles[0] && wholeAt(shelf, singles[0]);
  if (!whole || isPaged(whole)) return [];
  return whole.keys.flatMap((key): Judged => {
    const own = FILTERS.flatMap(
      (field) => singles.find((list) => list.query[field] === key[field] && wholeAt(shelf, list)) ?? [],
    );
    if (own.length < 2 || own.some(({ keys }) => keys.some(({ id }) => id === key.id))) return [];
    const message = `API key ${show(key.id)} of the whole list is in neither list of its provider and its status.`;
    const expected = 'the API keys that the filters list, and only those';
    return violated(message, expected, { more: [key.id] }, ...own.map(({ entry }) => entry), whole.entry);
  });
}

/** An API key that leaves the whole list and comes back was not deleted in between. */
function judgeReturning({ lists }: Shelf): Judged {
  const wholes = lists.filter((list) => isWhole(list) && !isPaged(list));
  return wholes.slice(1).flatMap((list, at): Judged => {
    const previous = wholes[at] as List;
    return missingFrom(previous.keys, list.keys).flatMap((id): Judged => {
      const returned = wholes.slice(at + 2).find(({ keys }) => keys.some((key) => key.id === id));
      if (!returned || list.keys.some((key) => key.id === id) || mayBePage(list.keys, [id], [])) return [];
      const message = `The whole list left out API key ${show(id)}, which the same caller was shown before and after.`;
      const expected = 'the API keys of the lists before and after it';
      return violated(message, expected, { missing: [id] }, previous.entry, returned.entry, list.entry);
    });
  });
}
