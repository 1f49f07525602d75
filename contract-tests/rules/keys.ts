import { OPERATIONS } from '../api/operations.ts';
import { fieldsOf } from '../api/records.ts';
import { isContentRefused, isOk, isRefused, type Log, overlappingIn, statusOf } from '../log/entry.ts';
import { canonical } from '../log/log.ts';
import { describe } from '../values/answer.ts';
import { groupBy } from '../values/group.ts';
import { type JsonObject, show } from '../values/json.ts';
import { FILTERS, isList, listedKeys } from './documented.ts';
import { holdsField, sameValue } from './fields.ts';
import type { Violation } from './rule.ts';
import { isOdd, type Judged, notSucceeded, of, open, perLog, type Rule, refused, shown, violated } from './rule.ts';
import {
  BOTH,
  expectedIn,
  isPaged,
  isWhole,
  type List,
  listsOf,
  matches,
  mayBePage,
  missingFrom,
  type Shelf,
  shelvesOf,
  wholeAt,
} from './shelves.ts';

/**
 * What lists of API keys say together (4.3). Other clients may change the keys at any time: a filtered list is compared
 * with the lists before and after it, and counts only where those agree.
 */

const NAME = OPERATIONS['api-keys'].name;
const subjectOf = (list: List): string =>
  isWhole(list) ? `${NAME} without filters` : `The list with ${new URLSearchParams(list.query)}`;
const idsOf = (keys: readonly JsonObject[]): unknown[] => keys.map(({ id }) => id);
const holdsId = ({ keys }: List, id: unknown): boolean => keys.some((key) => key.id === id);

/** Each list, or each refusal of one, of all callers. */
const eachShelf =
  (judge: (shelf: Shelf, log: Log) => Judged[]): Rule['judge'] =>
  (log) =>
    shelvesOf(log).flatMap((shelf) => judge(shelf, log).flat());

const listed: Rule = {
  id: 'keys-list',
  requirements: ['KEY-01'],
  title: 'the API keys of a tenant are listed without any query parameter',
  judge: eachShelf((shelf, log) => [
    ...shelf.wholes.map(({ entry }) => shown(entry)),
    ...shelf.refused.filter(isWhole).map(({ entry }): Judged => {
      const { token, who } = entry.credential;
      if (statusOf(entry) === 401 || isOdd(entry)) return [];
      // Who may call the administration area is not shown (part 5): a caller who gets a list gets the whole one, too.
      const control = shelf.lists.find((list) => list.entry.credential.token === token)?.entry;
      const isProven = of(log, 'scopes').some((each) => isOk(each) && each.credential.token === token);
      const isAdmin = who === 'admin' && isContentRefused(entry) && isProven;
      return control || isAdmin ? notSucceeded(NAME, entry, '', control) : [];
    }),
  ]),
};

/** What identifies an API key for as long as it exists: nothing says that ids are unique across tenants. */
const isSameKey = (a: JsonObject, b: JsonObject): boolean =>
  ['id', 'provider', 'name', 'created_at'].every((field) => sameValue(field, a[field], b[field]));

/** Lists of each tenant that are compared. */
const COMPARED = 40;

const ofTheTenant: Rule = {
  id: 'keys-of-the-tenant',
  requirements: ['KEY-17'],
  title: 'the list is that of the tenant that the path addresses',
  *judge(log) {
    // Requests for other tenants are odd, since they may be refused.
    const lists = of(log, 'api-keys')
      .filter((entry) => isOk(entry) && !entry.credential.flaw && entry.hasBody && isList(entry))
      .map((entry) => ({ entry, keys: listedKeys(entry) }));
    const tenants = [...groupBy(lists, ({ entry }) => entry.resource).values()].map((own) => own.slice(0, COMPARED));
    for (const [at, own] of tenants.entries())
      for (const a of own)
        for (const b of tenants.slice(at + 1).flat()) {
          const shared = b.keys.filter((key) => a.keys.some((one) => isSameKey(one, key)));
          const message = `The list of tenant ${b.entry.resource} holds API keys of tenant ${a.entry.resource}.`;
          if (shared.length > 0) yield violated(message, 'none of them in both', idsOf(shared), a.entry, b.entry);
          else if (a.keys.length > 0) yield shown(a.entry, b.entry);
        }
    // A refusal of another tenant is as right as its own list.
    const denied = of(log, 'api-keys').find((entry) => isRefused(entry) && entry.asked?.odd.includes('tenant'));
    const own = lists.find(({ keys }) => keys.length > 0);
    if (denied && own) yield shown(own.entry, denied);
  },
};

/** A service may take the letter case of a filter as it likes; an empty one is no filter. */
const mayMatch = (key: JsonObject, { query }: List): boolean =>
  Object.entries(query).every(([field, value]) => {
    const [wanted, own] = [value.trim().toLowerCase(), key[field]];
    return wanted === '' || typeof own !== 'string' || own.toLowerCase() === wanted;
  });

/** A key that a filter should not list. */
function judgeForeign(list: List): Violation | undefined {
  const foreign = list.keys.find((key) => !mayMatch(key, list));
  if (!foreign) return undefined;
  const actual = Object.fromEntries(Object.keys(list.query).map((field) => [field, foreign[field]]));
  return violated(`${subjectOf(list)} holds an API key that does not match.`, list.query, actual, list.entry);
}

/** Keys that a filter should list. */
function judgeMissing(shelf: Shelf, list: List): Violation | undefined {
  const keys = expectedIn(shelf, list);
  const missing = missingFrom(keys, list.keys);
  const message = `${subjectOf(list)} leaves out API keys that the lists before and after it hold.`;
  if (missing.length === 0) return undefined;
  return violated(message, idsOf(keys), { missing }, wholeAt(shelf, list)?.entry, list.entry);
}

const OTHER_TENANT = 'name a tenant with more in resources.tenantId';
const CHANGED = open(
  'the whole list was not seen to be the same before and after the filtered one; name a tenant in resources.tenantId that does not change during the run',
);

function judgeOnly(shelf: Shelf, list: List): Judged {
  if ((shelf.values[list.kind] ?? []).length > 1) return judgeForeign(list) ?? shown(list.entry);
  const reason = `all API keys of the tenant have one ${list.kind}, so a filter that does nothing would not show`;
  return judgeForeign(list) ?? open(`${reason}; ${OTHER_TENANT}`);
}

function judgeComplete(shelf: Shelf, list: List): Judged {
  const missing = judgeMissing(shelf, list);
  const whole = wholeAt(shelf, list);
  if (missing || !whole) return missing ?? CHANGED;
  return expectedIn(shelf, list).length > 0 || list.kind === BOTH ? shown(whole.entry, list.entry) : [];
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

/** Whether a list by both filters holds what that of one of them says, which may be whole where that without filters is a page. */
const isBothOfSingles = (shelf: Shelf, list: List): boolean =>
  shelf.lists.some((single) => {
    if (isWhole(single) || single.kind === BOTH) return false;
    const expected = single.keys.filter((key) => matches(key, list));
    const isOf = Object.entries(single.query).every(([field, value]) => list.query[field] === value);
    return isOf && expected.length > 0 && idsOf(expected).toSorted().join() === idsOf(list.keys).toSorted().join();
  });

function judgeBoth(shelf: Shelf, list: List): Judged {
  const added = isBothOfSingles(shelf, list) ? shown(list.entry) : judgeAdded(shelf, list);
  const all = [judgeForeign(list) ?? [], judgeComplete(shelf, list), added].flat();
  if (all.some(({ state }) => state === 'violated')) return all;
  if (FILTERS.every((field) => (shelf.values[field] ?? []).length < 2))
    return open(`all API keys of the tenant have one provider and one status; ${OTHER_TENANT}`);
  const unknown = all.filter(({ state }) => state === 'open');
  return unknown.length > 0 ? unknown : all;
}

const filterRule = (
  kind: string,
  name: string,
  requirement: string,
  title: string,
  judge: (shelf: Shelf, list: List) => Judged,
): Rule => ({
  id: `keys-filter-${name}`,
  requirements: [requirement],
  title,
  judge: eachShelf((shelf) => [
    ...shelf.refused.filter((each) => each.kind === kind).map((each) => judgeRefused(shelf, each)),
    ...listsOf(shelf, kind).map((list) => judge(shelf, list)),
  ]),
});

/** A filter accepts what its field holds: a caller who gets the whole list gets a filtered one. */
function judgeRefused(shelf: Shelf, list: List): Judged {
  const { entry, query } = list;
  if (statusOf(entry) === 401 || isOdd(entry)) return [];
  const isKnown = Object.entries(query).every(([field, value]) => shelf.values[field]?.includes(value));
  const control = shelf.wholes.find((whole) => whole.entry.credential.token === entry.credential.token)?.entry;
  const message = `${subjectOf(list)}, a value that API keys have, was refused.`;
  return isKnown && control ? refused(message, entry, control) : [];
}

const only = (field: string): string =>
  `the ${field} filter accepts the value of the ${field} field and lists nothing of another ${field}`;
const every = (field: string): string => `the ${field} filter lists every API key of that ${field}`;

const filterRules: readonly Rule[] = [
  filterRule('provider', 'provider-only', 'KEY-11', only('provider'), judgeOnly),
  filterRule('provider', 'provider-whole', 'KEY-12', every('provider'), judgeComplete),
  filterRule('status', 'status-only', 'KEY-13', only('status'), judgeOnly),
  filterRule('status', 'status-whole', 'KEY-14', every('status'), judgeComplete),
  filterRule(BOTH, 'both', 'KEY-15', 'both filters together list exactly the API keys that match both', judgeBoth),
];

const partition: Rule = {
  id: 'keys-filters-partition',
  requirements: ['KEY-16'],
  title: 'without a filter the list holds what the filters partition',
  judge: eachShelf((shelf) => {
    const singles = FILTERS.map((field) => listsOf(shelf, field));
    return [
      ...singles.flat().map((list) => judgeAdded(shelf, list)),
      judgeUnfindable(shelf, singles),
      ...shelf.wholes.slice(1).map((whole, at) => judgeChange(shelf, shelf.wholes[at] as List, whole)),
    ];
  }),
};

/** API keys that the filter of neither their provider nor their status finds. */
function judgeUnfindable(shelf: Shelf, singles: readonly (readonly List[])[]): Judged {
  const [first = [], second = []] = singles.map((lists) =>
    lists.map((list) => ({ list, ids: missingFrom(expectedIn(shelf, list), list.keys) })),
  );
  return first.flatMap(({ list, ids }) =>
    second.flatMap((other): Judged => {
      const more = ids.filter((id) => other.ids.includes(id));
      const message = `API key ${show(more[0])} of the whole list is in neither list of its provider and its status.`;
      const expected = 'the API keys that the filters list, and only those';
      const whole = wholeAt(shelf, list);
      if (more.length === 0 || !whole || isPaged(whole)) return [];
      return violated(message, expected, { more }, other.list.entry, list.entry, whole.entry);
    }),
  );
}

/** Milliseconds between two lists in which nobody replaces all API keys. */
const AT_ONCE_MS = 1_000;

/** What no other client does between two whole lists: replace all API keys, change several as a filter says, or delete one for a while. */
function judgeChange({ lists, wholes }: Shelf, before: List, list: List): Judged {
  const findings: Violation[] = [];
  const between = lists.slice(lists.indexOf(before) + 1, lists.indexOf(list));
  const culprit = between.find((each) => {
    const others = idsOf(before.keys.filter((key) => !matches(key, each)));
    return list.keys.filter((key) => matches(key, each) && others.includes(key.id)).length > 1;
  });
  if (culprit) {
    const message = `${subjectOf(culprit)} changed the API keys: the next whole list shows the values of the filter.`;
    findings.push(violated(message, before.keys, list.keys, before.entry, culprit.entry, list.entry));
  }
  const left = idsOf(before.keys).filter((id) => !holdsId(list, id));
  const isAtOnce = between.length === 0 && list.entry.startedAt - before.entry.endedAt < AT_ONCE_MS;
  if (isAtOnce && before.keys.length > 2 && list.keys.length > 2 && left.length === before.keys.length) {
    const message = 'Two whole lists, one right after the other, have no API key in common.';
    const finding = violated(message, left, idsOf(list.keys), before.entry, list.entry);
    findings.push(finding, { ...finding, requirement: 'KEY-15' });
  }
  const id = left.find((each) => wholes.some((later) => later.entry.n > list.entry.n && holdsId(later, each)));
  if (id !== undefined && ![before, list].some(isPaged) && !mayBePage(list.keys, [id], [])) {
    const message = `The whole list left out API key ${show(id)}, which the same caller was shown before and after.`;
    const expected = 'the API keys of the lists before and after it';
    findings.push(violated(message, expected, { missing: [id] }, before.entry, list.entry));
  }
  return findings;
}

/** Requests for lists that overlap another one, of any caller; and such that were both given. */
const besideIn = perLog((log) => overlappingIn(of(log, 'api-keys')));
const givenBeside = perLog((log) => overlappingIn(of(log, 'api-keys').filter(isOk)));

const overlapping: Rule = {
  id: 'keys-overlapping',
  requirements: ['KEY-15'],
  title: 'lists of API keys that one caller asks for at the same time each hold what matches their own filters',
  judge: eachShelf((shelf, log) => [
    ...shelf.refused.map((list) => judgeRefusedBeside(log, shelf, list)),
    ...shelf.lists.map((list) => judgeGivenBeside(log, shelf, list)),
    ...shelf.lists
      .filter(({ entry }) => shelf.overlapping.has(entry))
      .map((list) => {
        const finding = judgeForeign(list) ?? judgeMissing(shelf, list);
        const message = `${finding?.message} Another list was requested at the same time.`;
        return finding ? { ...finding, message } : shown(list.entry);
      }),
  ]),
};

const isSameQuestion = (a: List, b: List): boolean => canonical(a.query) === canonical(b.query);

/** A list that succeeds alone and is refused while another list is requested. */
function judgeRefusedBeside(log: Log, { lists }: Shelf, list: List): Judged {
  if (![403, 404].includes(statusOf(list.entry)) || !besideIn(log).has(list.entry)) return [];
  const alone = lists.find((each) => isSameQuestion(each, list) && !besideIn(log).has(each.entry));
  const message = `${subjectOf(list)} was refused while another list was requested, and succeeds alone.`;
  return alone ? refused(message, list.entry, alone.entry) : [];
}

/** A list that the caller may not get alone, and gets while another caller requests it. */
function judgeGivenBeside(log: Log, shelf: Shelf, list: List): Judged {
  const isAlone = ({ entry }: List): boolean => !besideIn(log).has(entry);
  if (!givenBeside(log).has(list.entry) || shelf.lists.some(isAlone)) return [];
  const denied = shelf.refused.find((each) => isDenied(each) && isSameQuestion(each, list) && isAlone(each));
  const message = `${subjectOf(list)} was given to a caller while another one requested it, and is refused to that caller alone.`;
  return denied ? givenThough(denied, list, message) : [];
}

const isDenied = ({ entry }: List): boolean => statusOf(entry) === 403;
const givenThough = (denied: List, list: List, message: string): Violation =>
  violated(
    message,
    `a refusal, as ${describe(denied.entry.answer)}`,
    describe(list.entry.answer),
    denied.entry,
    list.entry,
  );

/** The fields that belong to a key and not to the list that shows it. */
const KEY_FIELDS = ['created_at', ...FILTERS, 'name'];

/** A value that comes back after another one was not changed by anybody: each kind of list has its own. */
const oneRecord: Rule = {
  id: 'keys-one-record',
  requirements: ['KEY-04', 'KEY-05', 'KEY-06', 'KEY-07'],
  title: 'an API key is the same in every list',
  judge: eachShelf(({ lists }) => KEY_FIELDS.map((field) => judgeField(lists, field))),
};

function judgeField(lists: readonly List[], field: string): Judged {
  const looks = lists.flatMap(({ entry, kind, keys }) =>
    keys
      .filter(({ id }) => idsOf(keys).filter((each) => each === id).length === 1)
      .map((key) => ({ id: key.id, entry, kind, value: key[field] })),
  );
  const held = looks.filter(({ id, value }) => typeof id === 'string' && holdsField('TenantApiKey', field, value));
  return [...groupBy(held, ({ id }) => id)].flatMap(([id, seen]): Judged => {
    const changes = seen.filter(({ value }, at) => at === 0 || !sameValue(field, value, seen[at - 1]?.value));
    // A status changes, and replicas that lag show the former one in between.
    const isMoving = field === 'status' && seen.some((a) => seen.some((b) => a.kind === b.kind && a.value !== b.value));
    if (isMoving) return [];
    if (changes.length === 1) return seen.slice(1, 2).map(({ entry }) => shown(entry));
    // A key has no third time of creation.
    const place = changes.findIndex(
      ({ value }, at) =>
        at > 1 && (field === 'created_at' || changes.slice(0, at).some((each) => sameValue(field, each.value, value))),
    );
    const [before, found] = [changes[place - 1], changes[place]];
    if (!before || !found) return [];
    const message = `API key ${show(id)} has another ${field} in each of two kinds of lists that the same caller got.`;
    const requirement = fieldsOf('TenantApiKey')[field]?.requirement;
    const [expected, actual] = [before, found].map(({ value }) => ({ [field]: value }));
    return { ...violated(message, expected, actual, changes[0]?.entry, before.entry, found.entry), requirement };
  });
}

/** A PAT is listed what a JWT of its user is (part 5). */
const toPat: Rule = {
  id: 'pat-api-keys',
  requirements: ['AUT-02'],
  title: 'the API keys listed to a PAT, with filters and without, are those listed to a JWT of its user',
  judge: eachShelf(({ lists }, log) =>
    lists.map((list): Judged => {
      const { credential, resource } = list.entry;
      if (credential.kind !== 'pat' || credential.who === undefined) return [];
      const isOfJwt = ({ entry }: List): boolean =>
        entry.credential.kind !== 'pat' && entry.credential.who === credential.who && entry.resource === resource;
      const jwt = shelvesOf(log).find((shelf) => shelf.lists.some(isOfJwt));
      if (jwt) return judgeToPat(jwt, list);
      const denied = shelvesOf(log)
        .flatMap((shelf) => shelf.refused)
        .find((each) => isOfJwt(each) && isDenied(each));
      const message = `${subjectOf(list)} is given to a PAT, and is refused to a JWT of its user.`;
      return denied && list.keys.length > 0 ? givenThough(denied, list, message) : [];
    }),
  ),
};

function judgeToPat(jwt: Shelf, list: List): Judged {
  const whole = wholeAt(jwt, list);
  if (!whole || isPaged(whole)) return [];
  const expected = whole.keys.filter((key) => matches(key, list));
  const [missing, more] = [missingFrom(expected, list.keys), missingFrom(list.keys, expected)];
  if (missing.length + more.length === 0) return shown(whole.entry, list.entry);
  if (isOdd(list.entry) || mayBePage(whole.keys, more, [list])) return [];
  const message = `${subjectOf(list)} holds other API keys for a PAT than for a JWT of its user.`;
  return violated(message, idsOf(expected), { missing, more }, whole.entry, list.entry);
}

export const keyRules: readonly Rule[] = [
  listed,
  ofTheTenant,
  ...filterRules,
  partition,
  overlapping,
  oneRecord,
  toPat,
];
