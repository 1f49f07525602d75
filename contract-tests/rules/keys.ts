import { OPERATIONS } from '../api/operations.ts';
import { fieldsOf } from '../api/records.ts';
import { type Entry, isContentRefused, isOk, isRefused, type Log, overlap } from '../log/entry.ts';
import { canonical } from '../log/log.ts';
import { describe } from '../values/answer.ts';
import { type JsonObject, show } from '../values/json.ts';
import { FILTERS, filtersOf, isDocumented } from './documented.ts';
import { holdsField, sameValue } from './field-rules.ts';
import { countIds, distinct, listedKeys, listFindings, missingFrom } from './listed-keys.ts';
import { isPaged, mayBePage } from './pages.ts';
import { type Judgement, of, open, type Rule, shown, type Violation, violated } from './rule.ts';

/**
 * What lists of API keys say together (4.3). Other clients may change the keys at any time: a filtered list is compared
 * with the whole lists before and after it, and counts only where those agree.
 */

type Query = Record<string, string>;

interface List {
  entry: Entry;
  query: Query;
  keys: JsonObject[];
}

/** The lists that one caller got of one tenant. */
interface Shelf {
  lists: List[];
  /** Documented requests that were refused. */
  refused: { entry: Entry; query: Query }[];
}

const isWhole = ({ query }: { query: Query }): boolean => Object.keys(query).length === 0;
const NAME = OPERATIONS['api-keys'].name;

const memo = new WeakMap<Log, { size: number; shelves: Shelf[] }>();

/** The lists by tenant and user; those of a user's PATs apart from those of its JWTs where `byKind`. */
function shelvesOf(log: Log): Shelf[] {
  const known = memo.get(log);
  if (known?.size === log.entries.length) return known.shelves;
  const shelves = new Map<string, Shelf>();
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
  const found = [...shelves.values()];
  memo.set(log, { size: log.entries.length, shelves: found });
  return found;
}

/** What identifies the keys of a list, and what filters match. */
const contentOf = ({ keys }: List): string =>
  keys
    .map(({ id, provider, status }) => JSON.stringify([id, provider, status]))
    .toSorted()
    .join('\n');

const matches = (key: JsonObject, query: Query): boolean =>
  Object.entries(query).every(([field, value]) => key[field] === value);

/** A service may take the letter case of a filter as it likes; an empty one is no filter. */
const mayMatch = (key: JsonObject, query: Query): boolean =>
  Object.entries(query).every(
    ([field, value]) =>
      value.trim() === '' ||
      typeof key[field] !== 'string' ||
      (key[field] as string).toLowerCase() === value.trim().toLowerCase(),
  );

const kindOf = (query: Query): 'provider' | 'status' | 'both' =>
  Object.keys(query).length > 1 ? 'both' : Object.keys(query)[0] === 'provider' ? 'provider' : 'status';
const subjectOf = ({ query }: Pick<List, 'query'>): string =>
  isWhole({ query }) ? `${NAME} without filters` : `The list with ${new URLSearchParams(query)}`;

/** The whole list at the time of another list: the nearest one before it whose keys a whole list after it shows, too. */
function wholeAt(shelf: Shelf, { entry }: Pick<List, 'entry'>): List | undefined {
  const wholes = shelf.lists.filter(isWhole);
  const before = wholes.filter((whole) => whole.entry.end <= entry.begin).toReversed();
  const after = wholes.filter((whole) => whole.entry.begin >= entry.end);
  return before.find((one) => after.some((other) => contentOf(one) === contentOf(other)));
}

const CHANGED =
  'the whole list was not seen to be the same before and after the filtered one; name a tenant in resources.tenantId that nobody changes during the run';
const ONE_VALUE = (field: string): string =>
  `all API keys of the tenant have one ${field}, so a filter that does nothing would not show; name a tenant with more in resources.tenantId`;

const isOverlapping = (shelf: Shelf, { entry }: List): boolean =>
  shelf.lists.some((other) => overlap(other.entry, entry));

/** Whether a list overlaps another one, and one with such filters does not: then that one is judged. */
const isBeside = (shelf: Shelf, list: List): boolean =>
  isOverlapping(shelf, list) && filteredOf(shelf, kindOf(list.query)).some((other) => !isOverlapping(shelf, other));

/** Values that the keys of a shelf have in a field. */
const valuesIn = (shelf: Shelf, field: string): Set<string> =>
  new Set(
    distinct(
      shelf.lists.flatMap(({ keys }) => keys),
      field,
    ),
  );

/** A key that a filter should not list. */
function foreignIn(list: List): Omit<Violation, 'by' | 'state'> | undefined {
  const foreign = list.keys.find((key) => !mayMatch(key, list.query));
  if (!foreign) return undefined;
  const actual = Object.fromEntries(Object.keys(list.query).map((field) => [field, foreign[field]]));
  return { message: `${subjectOf(list)} holds an API key that does not match.`, expected: list.query, actual };
}

function judgeOnly(shelf: Shelf, list: List): Judgement[] {
  if (isBeside(shelf, list)) return [];
  const foreign = foreignIn(list);
  if (foreign) return [violated(foreign, list.entry)];
  const fields = Object.keys(list.query);
  // Both filters are judged by what they leave out as well.
  if (fields.length > 1) return [];
  const [field = ''] = fields;
  return [valuesIn(shelf, field).size > 1 ? shown(list.entry) : open(ONE_VALUE(field))];
}

/** A filter accepts what its field holds: a caller who gets the whole list gets a filtered one. */
function judgeRefused(shelf: Shelf, { entry, query }: Shelf['refused'][number]): Judgement[] {
  if (entry.answer.response.status === 401 || (entry.asked && entry.asked.odd.length > 0)) return [];
  const isKnown = Object.entries(query).every(([field, value]) => valuesIn(shelf, field).has(value));
  const control = shelf.lists.find(
    (list) => isWhole(list) && list.entry.credential.token === entry.credential.token,
  )?.entry;
  if (!isKnown || !control) return [];
  return [
    violated(
      {
        message: `${subjectOf({ query })}, a value that API keys have, was refused.`,
        expected: 'a success (2xx)',
        actual: describe(entry.answer),
      },
      control,
      entry,
    ),
  ];
}

const filteredOf = (shelf: Shelf, kind: string): List[] =>
  shelf.lists.filter((list) => !isWhole(list) && kindOf(list.query) === kind);

/** Filters of a kind that were refused. */
const refusedOf = (shelf: Shelf, kind: string): Judgement[] =>
  shelf.refused
    .filter(({ query }) => !isWhole({ query }) && kindOf(query) === kind)
    .flatMap((each) => judgeRefused(shelf, each));

const onlyRule = (field: 'provider' | 'status', requirement: string): Rule => ({
  id: `keys-filter-${field}-only`,
  requirements: [requirement],
  title: `the ${field} filter accepts the value of the ${field} field and lists nothing of another ${field}`,
  judge: (log) =>
    shelvesOf(log).flatMap((shelf) => [
      ...refusedOf(shelf, field),
      ...filteredOf(shelf, field).flatMap((list) => judgeOnly(shelf, list)),
    ]),
});

/** The keys that lists of the shelf show before and after a list, with the same provider and status: they were there meanwhile. */
function lasting({ lists }: Shelf, { entry }: List): JsonObject[] {
  const before = new Map<unknown, JsonObject>();
  const found = new Map<unknown, JsonObject>();
  for (const list of lists) {
    if (list.entry.end <= entry.begin) for (const [id, key] of byId(list)) before.set(id, key);
    if (list.entry.begin < entry.end) continue;
    for (const [id, key] of byId(list)) {
      const known = before.get(id);
      if (known && !found.has(id) && FILTERS.every((field) => known[field] === key[field])) found.set(id, key);
    }
  }
  return [...found.values()];
}

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
    violated(
      {
        message: `${subjectOf(list)} leaves out API keys that the lists before and after it hold.`,
        expected: expected.map(({ id }) => id),
        actual: { missing },
      },
      ...(whole ? [whole.entry] : []),
      list.entry,
    ),
  ];
}

const wholeRule = (field: 'provider' | 'status', requirement: string): Rule => ({
  id: `keys-filter-${field}-whole`,
  requirements: [requirement],
  title: `the ${field} filter lists every API key of that ${field}`,
  judge: (log) =>
    shelvesOf(log).flatMap((shelf) => [
      ...refusedOf(shelf, field),
      ...filteredOf(shelf, field).flatMap((list) => judgeComplete(shelf, list)),
    ]),
});

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
function judgeAdded(shelf: Shelf, list: List): Judgement[] {
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
    violated(
      {
        message: `${subjectOf(list)} holds API keys that the whole lists before and after it do not.`,
        expected: 'those of the whole list only',
        actual: { more },
      },
      whole.entry,
      list.entry,
    ),
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

const bothFilters: Rule = {
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

const partition: Rule = {
  id: 'keys-filters-partition',
  requirements: ['KEY-16'],
  title: 'without a filter the list holds what the filters partition',
  judge: (log) =>
    shelvesOf(log).flatMap((shelf) => [
      ...shelf.lists
        .filter((list) => !isWhole(list) && kindOf(list.query) !== 'both' && !isOverlapping(shelf, list))
        .flatMap((list) => judgeAdded(shelf, list)),
      ...judgeReturning(shelf),
      ...judgeUnfindable(shelf),
      ...judgeReplaced(shelf),
      ...judgeSticking(shelf),
    ]),
};

/** A filter that goes on after its request: in the whole list after it, or in the keys themselves. People do not do that to several at once. */
function judgeSticking({ lists }: Shelf): Judgement[] {
  let last: List | undefined;
  let between: List[] = [];
  for (const list of lists) {
    if (!isWhole(list)) {
      between.push(list);
      continue;
    }
    const before = last;
    const gone = before ? missingFrom(before.keys, list.keys) : [];
    const isLeft = (filtered: List): boolean => gone.length > 1 && contentOf(filtered) === contentOf(list);
    const isWritten = ({ query }: List): boolean =>
      list.keys.filter(
        (key) => matches(key, query) && before?.keys.some((old) => old.id === key.id && !matches(old, query)),
      ).length > 1;
    const culprit =
      list.keys.length > 0 ? between.find((filtered) => isLeft(filtered) || isWritten(filtered)) : undefined;
    if (before && culprit)
      return [
        violated(
          {
            message: isWritten(culprit)
              ? `${subjectOf(culprit)} changed the API keys: the next whole list shows the values of the filter.`
              : 'The list without a filter holds only what a filtered list before it held.',
            expected: before.keys.map(({ id, provider, status }) => ({ id, provider, status })),
            actual: list.keys.map(({ id, provider, status }) => ({ id, provider, status })),
          },
          before.entry,
          culprit.entry,
          list.entry,
        ),
      ];
    last = list;
    between = [];
  }
  return [];
}

/** Two whole lists, one right after the other, that have no key in common: people do not replace several at once. */
function judgeReplaced({ lists }: Shelf): Judgement[] {
  for (const [at, list] of lists.entries()) {
    const last = lists[at - 1];
    if (!last || !isWhole(list) || !isWhole(last) || last.keys.length < 3 || list.keys.length < 3) continue;
    if (list.keys.some(({ id }) => last.keys.some((key) => key.id === id))) continue;
    return ['KEY-16', 'KEY-15'].map((requirement) =>
      violated(
        {
          requirement,
          message: 'Two whole lists, one right after the other, have no API key in common.',
          expected: last.keys.map(({ id }) => id),
          actual: list.keys.map(({ id }) => id),
        },
        last.entry,
        list.entry,
      ),
    );
  }
  return [];
}

/** An API key of the whole list that the filter of neither its provider nor its status finds. */
function judgeUnfindable(shelf: Shelf): Judgement[] {
  const singles = shelf.lists.filter(
    (list) => !isWhole(list) && kindOf(list.query) !== 'both' && !isOverlapping(shelf, list),
  );
  const whole = singles[0] && wholeAt(shelf, singles[0]);
  if (!whole || isPaged(whole.entry, whole.keys)) return [];
  for (const key of whole.keys) {
    const own = FILTERS.map((field) =>
      singles.find((list) => list.query[field] === key[field] && wholeAt(shelf, list) !== undefined),
    );
    const [byProvider, byStatus] = own;
    if (!byProvider || !byStatus) continue;
    if ([byProvider, byStatus].some(({ keys }) => keys.some(({ id }) => id === key.id))) continue;
    return [
      violated(
        {
          message: `API key ${show(key.id)} of the whole list is in neither list of its provider and its status.`,
          expected: 'the API keys that the filters list, and only those',
          actual: { more: [key.id] },
        },
        byProvider.entry,
        byStatus.entry,
        whole.entry,
      ),
    ];
  }
  return [];
}

/** An API key that leaves the whole list and comes back was not deleted in between. */
function judgeReturning(shelf: Shelf): Judgement[] {
  const wholes = shelf.lists.filter((list) => isWhole(list) && !isPaged(list.entry, list.keys));
  const ids = wholes.map(({ keys }) => new Set(keys.map(({ id }) => id)));
  for (const [at, list] of wholes.entries()) {
    if (at === 0) continue;
    for (const id of ids[at - 1] ?? []) {
      const back = ids.findIndex((each, later) => later > at && each.has(id));
      const [previous, returned] = [wholes[at - 1], wholes[back]];
      if (ids[at]?.has(id) || !previous || !returned || mayBePage(list.keys, [id], [])) continue;
      return [
        violated(
          {
            message: `The whole list left out API key ${show(id)}, which the same caller was shown before and after.`,
            expected: 'the API keys of the lists before and after it',
            actual: { missing: [id] },
          },
          previous.entry,
          returned.entry,
          list.entry,
        ),
      ];
    }
  }
  return [];
}

const overlapping: Rule = {
  id: 'keys-overlapping',
  requirements: ['KEY-15'],
  title: 'lists of API keys that one caller asks for at the same time each hold what matches their own filters',
  judge: (log) =>
    shelvesOf(log).flatMap((shelf) => [
      ...shelf.refused.flatMap((each) => judgeRefusedBeside(log, shelf, each)),
      ...shelf.lists.flatMap((each) => judgeGivenBeside(log, shelf, each)),
      ...shelf.lists
        .filter((list) => isOverlapping(shelf, list))
        .map((list): Judgement => {
          const foreign = foreignIn(list);
          if (foreign)
            return violated(
              { ...foreign, message: `${foreign.message} Another list was requested at the same time.` },
              list.entry,
            );
          const whole = wholeAt(shelf, list);
          const missing = whole
            ? missingFrom(
                whole.keys.filter((key) => matches(key, list.query)),
                list.keys,
              )
            : [];
          if (whole && missing.length > 0)
            return violated(
              {
                message: `${subjectOf(list)} leaves out API keys while another list is requested at the same time.`,
                expected: 'every API key that matches',
                actual: { missing },
              },
              whole.entry,
              list.entry,
            );
          return shown(list.entry);
        }),
    ]),
};

/** A list that is refused beside another one, be it of somebody else, and answered alone. */
function judgeRefusedBeside(log: Log, shelf: Shelf, { entry, query }: Shelf['refused'][number]): Judgement[] {
  const { status } = entry.answer.response;
  if (![403, 404].includes(status) || !of(log, 'api-keys').some((other) => overlap(other, entry))) return [];
  const alone = shelf.lists.find(
    (list) =>
      canonical(list.query) === canonical(query) && !of(log, 'api-keys').some((other) => overlap(other, list.entry)),
  );
  if (!alone) return [];
  return [
    violated(
      {
        message: `${subjectOf({ query })} was refused beside another list, and is answered alone.`,
        expected: 'a success (2xx)',
        actual: describe(entry.answer),
      },
      alone.entry,
      entry,
    ),
  ];
}

/** A list that its caller is refused alone, before and after, and given beside the same list of somebody else. */
function judgeGivenBeside(log: Log, shelf: Shelf, { entry, query }: List): Judgement[] {
  if (!of(log, 'api-keys').some((other) => overlap(other, entry) && isOk(other))) return [];
  const alone = shelf.refused.filter(
    (each) =>
      each.entry.answer.response.status === 403 &&
      canonical(each.query) === canonical(query) &&
      !of(log, 'api-keys').some((other) => overlap(other, each.entry)),
  );
  if (
    alone.length === 0 ||
    shelf.lists.some((list) => !of(log, 'api-keys').some((other) => overlap(other, list.entry)))
  )
    return [];
  return [
    violated(
      {
        message: `${subjectOf({ query })} was given to a caller beside another one, and is refused to the caller alone.`,
        expected: 'a refusal (403), as alone',
        actual: describe(entry.answer),
      },
      ...alone.slice(0, 1).map((each) => each.entry),
      entry,
    ),
  ];
}

const listed: Rule = {
  id: 'keys-list',
  requirements: ['KEY-01'],
  title: 'the API keys of a tenant are listed without any query parameter',
  judge: (log) =>
    shelvesOf(log).flatMap((shelf) => [
      ...shelf.lists.filter(isWhole).map(({ entry }) => shown(entry)),
      ...shelf.refused.filter(isWhole).flatMap(({ entry }): Judgement[] => {
        const { status } = entry.answer.response;
        if (status === 401 || (entry.asked && entry.asked.odd.length > 0)) return [];
        // Who may call the administration area is not shown (part 5): a caller who gets a list gets the whole one, too.
        const control = shelf.lists.find((list) => list.entry.credential.token === entry.credential.token)?.entry;
        const isProven = of(log, 'scopes').some(
          (each) => isOk(each) && each.credential.token === entry.credential.token,
        );
        const isAdmin = entry.credential.who === 'admin' && isContentRefused(entry) && (isProven || !log.isPartial);
        if (!control && !isAdmin) return [];
        return [
          violated(
            {
              message: `${NAME} did not succeed: it answered ${status}.`,
              expected: 'a success (2xx)',
              actual: `${describe(entry.answer)}: ${show(entry.answer.response.body)}`,
            },
            ...(control ? [control] : []),
            entry,
          ),
        ];
      }),
    ]),
};

/** What identifies an API key for as long as it exists. */
const LASTING = ['id', 'provider', 'name', 'created_at'];

/** Whether two lists show one and the same API key: nothing says that ids are unique across tenants. */
const isSameKey = (a: JsonObject, b: JsonObject): boolean =>
  LASTING.every((field) => sameValue(field, a[field], b[field]));

const ofTheTenant: Rule = {
  id: 'keys-of-the-tenant',
  requirements: ['KEY-17'],
  title: 'the list is that of the tenant that the path addresses',
  judge(log) {
    // Requests for other tenants are odd, since they may be refused.
    const lists = of(log, 'api-keys').filter(
      (entry) => isOk(entry) && !entry.credential.flaw && entry.hasBody && listFindings('', entry).length === 0,
    );
    const first = new Map<string, Entry[]>();
    for (const entry of lists)
      first.set(entry.resource ?? '', [...(first.get(entry.resource ?? '') ?? []), entry].slice(0, 40));
    const judgements: Judgement[] = [];
    const tenants = [...first.values()];
    for (const [at, own] of tenants.entries())
      for (const theirs of tenants.slice(at + 1))
        for (const a of own)
          for (const b of theirs) {
            const mine = listedKeys(a);
            const shared = listedKeys(b).filter((key) => mine.some((one) => isSameKey(one, key)));
            if (shared.length > 0)
              judgements.push(
                violated(
                  {
                    message: `The list of tenant ${b.resource} holds API keys of tenant ${a.resource}.`,
                    expected: 'none of them in both',
                    actual: shared.map(({ id }) => id),
                  },
                  a,
                  b,
                ),
              );
            else if (mine.length > 0) judgements.push(shown(a, b));
          }
    // A refusal of another tenant is as right as its own list.
    const refused = of(log, 'api-keys').find((entry) => isRefused(entry) && entry.asked?.odd.includes('tenant'));
    const own = lists.find((entry) => listedKeys(entry).length > 0);
    if (refused && own) judgements.push(shown(own, refused));
    return judgements;
  },
};

/** The fields that belong to a key and not to the list that shows it. */
const KEY_FIELDS = ['created_at', 'provider', 'name', 'status'];
/** Nobody recreates a key under its former id this often in one run. */
const TOO_MANY_TIMES = 3;

/** The keys of a list by id, without those that it lists twice. */
function byId({ keys }: List): Map<unknown, JsonObject> {
  const counts = countIds(keys);
  return new Map(keys.filter(({ id }) => typeof id === 'string' && counts.get(id) === 1).map((key) => [key.id, key]));
}

/** Whether two lists show a field of one key otherwise, both as the document describes it. */
function differs(field: string, a: JsonObject | undefined, b: JsonObject | undefined): boolean {
  const holds = (key: JsonObject): boolean => holdsField('TenantApiKey', field, key[field]);
  return a !== undefined && b !== undefined && holds(a) && holds(b) && !sameValue(field, a[field], b[field]);
}

/** A value that comes back after another one was not changed by anybody: each kind of list has its own. */
const oneRecord: Rule = {
  id: 'keys-one-record',
  requirements: ['KEY-04', 'KEY-05', 'KEY-06', 'KEY-07'],
  title: 'an API key is the same in every list',
  judge: (log) => shelvesOf(log).flatMap(judgeAgreement),
};

function judgeAgreement({ lists }: Shelf): Judgement[] {
  const history = new Map<string, { entry: Entry; key: JsonObject }[]>();
  const judgements: Judgement[] = [];
  for (const list of lists) {
    let isSame = false;
    for (const [id, key] of byId(list))
      for (const field of KEY_FIELDS) {
        const place = `${id} ${field}`;
        const seen = history.get(place) ?? [];
        const last = seen.at(-1);
        if (last && !differs(field, last.key, key)) {
          isSame = true;
          continue;
        }
        const earlier = seen.slice(0, -1).find((each) => !differs(field, each.key, key));
        if (last && (earlier || (field === 'created_at' && seen.length >= TOO_MANY_TIMES - 1)))
          judgements.push(
            violated(
              {
                requirement: fieldsOf('TenantApiKey')[field]?.requirement ?? '',
                message: `API key ${show(id)} has another ${field} in each of two kinds of lists that the same caller got.`,
                expected: { [field]: last.key[field] },
                actual: { [field]: key[field] },
              },
              ...(earlier ? [earlier.entry] : []),
              last.entry,
              list.entry,
            ),
          );
        history.set(place, [...seen, { entry: list.entry, key }].slice(-TOO_MANY_TIMES));
      }
    if (isSame) judgements.push(shown(list.entry));
  }
  return judgements;
}

/** A PAT is listed what a JWT of its user is (part 5). */
const toPat: Rule = {
  id: 'pat-api-keys',
  requirements: ['AUT-02'],
  title: 'the API keys listed to a PAT, with filters and without, are those listed to a JWT of its user',
  judge(log) {
    const judgements: Judgement[] = [];
    const lists = shelvesOf(log).flatMap((shelf) => shelf.lists.map((list) => ({ shelf, list })));
    for (const { list } of lists) {
      const { credential, resource } = list.entry;
      if (credential.kind !== 'pat' || credential.who === undefined) continue;
      const jwt = lists.find(
        ({ list: { entry } }) =>
          entry.credential.kind !== 'pat' && entry.credential.who === credential.who && entry.resource === resource,
      )?.shelf;
      const whole = jwt && wholeAt(jwt, list);
      if (!whole || isPaged(whole.entry, whole.keys)) continue;
      const expected = whole.keys.filter((key) => matches(key, list.query));
      const [missing, more] = [missingFrom(expected, list.keys), missingFrom(list.keys, expected)];
      const isOdd = list.entry.asked !== undefined && list.entry.asked.odd.length > 0;
      if (missing.length + more.length === 0) judgements.push(shown(whole.entry, list.entry));
      else if (!isOdd && !mayBePage(whole.keys, more, [list.keys]))
        judgements.push(
          violated(
            {
              message: `${subjectOf(list)} holds other API keys for a PAT than for a JWT of its user.`,
              expected: expected.map(({ id }) => id),
              actual: { missing, more },
            },
            whole.entry,
            list.entry,
          ),
        );
    }
    return judgements;
  },
};

export const keyRules: readonly Rule[] = [
  listed,
  ofTheTenant,
  onlyRule('provider', 'KEY-11'),
  wholeRule('provider', 'KEY-12'),
  onlyRule('status', 'KEY-13'),
  wholeRule('status', 'KEY-14'),
  bothFilters,
  partition,
  overlapping,
  oneRecord,
  toPat,
];
