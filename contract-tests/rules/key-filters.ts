import type { JsonObject } from '../values/json.ts';
import { once } from '../values/once.ts';
import { FILTERS } from './documented.ts';
import { missingFrom } from './listed-keys.ts';
import { isPaged, mayBePage } from './pages.ts';
import { type Judged, type Judgement, open, type Rule, refused, shown, violated } from './rule.ts';
import {
  byId,
  CHANGED,
  filteredOf,
  foreignIn,
  isBeside,
  isWhole,
  kindOf,
  type List,
  matches,
  ONE_VALUE,
  type Shelf,
  shelvesOf,
  subjectOf,
  valuesIn,
  wholeAt,
} from './shelves.ts';

/** What filters list: nothing else, and all of it (4.3). */

function judgeOnly(shelf: Shelf, list: List): Judgement[] {
  if (isBeside(shelf, list)) return [];
  const foreign = foreignIn(list);
  if (foreign) return [violated({ ...foreign, by: [list.entry] })];
  const fields = Object.keys(list.query);
  // Both filters are judged by what they leave out as well.
  if (fields.length > 1) return [];
  const [field = ''] = fields;
  return [valuesIn(shelf, field).size > 1 ? shown(list.entry) : open(ONE_VALUE(field))];
}

/** A filter accepts what its field holds: a caller who gets the whole list gets a filtered one. */
function judgeRefused(shelf: Shelf, { entry, query }: Shelf['refused'][number]): Judged {
  if (entry.answer.response.status === 401 || (entry.asked && entry.asked.odd.length > 0)) return [];
  const isKnown = Object.entries(query).every(([field, value]) => valuesIn(shelf, field).has(value));
  const control = shelf.lists.find(
    (list) => isWhole(list) && list.entry.credential.token === entry.credential.token,
  )?.entry;
  if (!isKnown || !control) return [];
  return refused(`${subjectOf({ query })}, a value that API keys have, was refused.`, [control, entry]);
}

/** Filters of a kind that were refused. */
const refusedOf = (shelf: Shelf, kind: string): Judgement[] =>
  shelf.refused
    .filter(({ query }) => !isWhole({ query }) && kindOf(query) === kind)
    .flatMap((each) => judgeRefused(shelf, each));

const FILTER_RULES = {
  only: {
    title: (field: string) =>
      `the ${field} filter accepts the value of the ${field} field and lists nothing of another ${field}`,
    judge: judgeOnly,
  },
  whole: { title: (field: string) => `the ${field} filter lists every API key of that ${field}`, judge: judgeComplete },
};

export const filterRule = (field: 'provider' | 'status', kind: 'only' | 'whole', requirement: string): Rule => ({
  id: `keys-filter-${field}-${kind}`,
  requirements: [requirement],
  title: FILTER_RULES[kind].title(field),
  judge: (log) =>
    shelvesOf(log).flatMap((shelf) => [
      ...refusedOf(shelf, field),
      ...filteredOf(shelf, field).flatMap((list) => FILTER_RULES[kind].judge(shelf, list)),
    ]),
});

/** An API key as lists in a row show it, from the end of the first to the begin of the last. */
interface Shown {
  key: JsonObject;
  from: number;
  to: number;
}

const shownIn = once(({ lists }: Shelf): Shown[] => {
  const all: Shown[] = [];
  const last = new Map<unknown, Shown>();
  for (const list of lists)
    for (const [id, key] of byId(list)) {
      const known = last.get(id);
      const { begin, end } = list.entry;
      if (known && FILTERS.every((field) => known.key[field] === key[field])) {
        known.from = Math.min(known.from, end);
        known.to = Math.max(known.to, begin);
      } else {
        const shown = { key, from: end, to: begin };
        last.set(id, shown);
        all.push(shown);
      }
    }
  return all;
});

/** The keys that lists of the shelf show before and after a list, with the same provider and status: they were there meanwhile. */
const lasting = (shelf: Shelf, { entry }: List): JsonObject[] =>
  shownIn(shelf).flatMap(({ key, from, to }) => (from <= entry.begin && to >= entry.end ? [key] : []));

function judgeComplete(shelf: Shelf, list: List): Judgement[] {
  if (isBeside(shelf, list)) return [];
  const whole = wholeAt(shelf, list);
  const expected = (whole?.keys ?? lasting(shelf, list)).filter((key) => matches(key, list.query));
  const missing = missingFrom(expected, list.keys);
  if (!whole && missing.length === 0) return [open(CHANGED)];
  if (missing.length === 0)
    return expected.length > 0 || kindOf(list.query) === 'both'
      ? [shown(...(whole ? [whole.entry] : []), list.entry)]
      : [];
  return [
    violated({
      message: `${subjectOf(list)} leaves out API keys that the lists before and after it hold.`,
      expected: expected.map(({ id }) => id),
      actual: { missing },
      by: [...(whole ? [whole.entry] : []), list.entry],
    }),
  ];
}

/** Whether a list by both filters holds what the list of one of them says, which may be whole where that without filters is a page. */
const isBothOfSingles = (shelf: Shelf, list: List): boolean =>
  shelf.lists.some((single) => {
    const [field, ...others] = Object.keys(single.query);
    if (field === undefined || others.length > 0 || single.query[field] !== list.query[field]) return false;
    const expected = single.keys.filter((key) => matches(key, list.query));
    return (
      expected.length > 0 && missingFrom(expected, list.keys).length + missingFrom(list.keys, expected).length === 0
    );
  });

/** Keys that a filtered list holds more often than the whole list. */
export function judgeAdded(shelf: Shelf, list: List): Judgement[] {
  const whole = wholeAt(shelf, list);
  if (!whole) return [open(CHANGED)];
  if (isPaged(whole.entry, whole.keys))
    return [open('the list says that it is one page of more, and how pages work is not documented')];
  const more = missingFrom(list.keys, whole.keys);
  // Of a tenant without API keys nothing shows.
  if (more.length === 0) return whole.keys.length > 0 ? [shown(whole.entry, list.entry)] : [];
  const filtered = shelf.lists.filter((each) => !isWhole(each)).map(({ keys }) => keys);
  if (mayBePage(whole.keys, more, filtered) && !isLeftOutElsewhere(shelf, list, more, whole))
    return [
      open(
        'filtered lists hold API keys that the whole list does not, which has as many as a page usually has, and how pages work is not documented; name a tenant with fewer in resources.tenantId',
      ),
    ];
  return [
    violated({
      message: `${subjectOf(list)} holds API keys that the whole lists before and after it do not.`,
      expected: 'those of the whole list only',
      actual: { more },
      by: [whole.entry, list.entry],
    }),
  ];
}

/** Where the whole list is perhaps a page, the list of the other filter, shorter than a page, holds a key as well. */
function isLeftOutElsewhere(shelf: Shelf, { keys, query }: List, more: unknown[], whole: List): boolean {
  if (kindOf(query) === 'both') return false;
  const other = kindOf(query) === 'provider' ? 'status' : 'provider';
  return keys
    .filter(({ id }) => more.includes(id))
    .some((key) =>
      filteredOf(shelf, other).some(
        (list) =>
          list.query[other] === key[other] &&
          list.keys.length < whole.keys.length &&
          !list.keys.some(({ id }) => id === key.id),
      ),
    );
}

export const bothFilters: Rule = {
  id: 'keys-filter-both',
  requirements: ['KEY-15'],
  title: 'both filters together list exactly the API keys that match both',
  judge: (log) =>
    shelvesOf(log).flatMap((shelf) => {
      const lists = filteredOf(shelf, 'both').filter((list) => !isBeside(shelf, list));
      const values = FILTERS.map((field) => valuesIn(shelf, field).size);
      const isOne = values.every((size) => size < 2);
      return [
        ...refusedOf(shelf, 'both'),
        ...lists.flatMap((list) => {
          const only = judgeOnly(shelf, list);
          const rest = [
            ...judgeComplete(shelf, list),
            ...(isBothOfSingles(shelf, list) ? [shown(list.entry)] : judgeAdded(shelf, list)),
          ];
          const problems = [...only, ...rest].filter(({ state }) => state === 'violated');
          if (problems.length > 0) return problems;
          if (isOne)
            return [
              open(
                'all API keys of the tenant have one provider and one status; name a tenant with more in resources.tenantId',
              ),
            ];
          return rest.some(({ state }) => state === 'open')
            ? rest.filter(({ state }) => state === 'open')
            : rest.slice(0, 1);
        }),
      ];
    }),
};
