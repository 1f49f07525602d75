import { OPERATIONS } from '../api/operations.ts';
import { distinct, fieldsOf } from '../api/records.ts';
import { type Entry, isContentRefused, isOk, isRefused, type Log, overlappingIn, statusOf } from '../log/entry.ts';
import { describe } from '../values/answer.ts';
import { groupBy } from '../values/group.ts';
import { asText, canonical, hasMember, type JsonObject, memberOf, show } from '../values/json.ts';
import { once } from '../values/once.ts';
import { FILTERS, filtersOf, isDocumented, isList, listedKeys } from './documented.ts';
import { holdsField, sameValue } from './fields.ts';
import { restlessIn } from './restless.ts';
import { isOdd, type Judge, type Judged, of, open, refused, rulesOf, shown, type Violation, violated } from './rule.ts';

/** What the lists of one caller and tenant say together (4.3): each counts where the lists before and after it agree. */

interface List {
  entry: Entry;
  query: Record<string, string>;
  /** The names of its filters: none for the whole list. */
  kind: string;
  keys: JsonObject[];
}

const BOTH = FILTERS.join();
const isWhole = ({ kind }: List): boolean => kind === '';

/** What identifies a key, and what filters match. */
const contentOf = ({ id, provider, status }: JsonObject): string => JSON.stringify([id, provider, status]);
const contentsOf = once(({ keys }: List): string => keys.map(contentOf).toSorted().join('\n'));

const folded = (value: string): string => value.trim().toLowerCase();

/** The lists by tenant and user; those of a user's PATs apart from those of its JWTs. */
const shelvesOf = once((log: Log) => {
  const asked = of(log, 'api-keys').filter(
    (entry) => filtersOf(entry) && !entry.credential.flaw && entry.credential.kind !== 'masked' && entry.hasBody,
  );
  const byCaller = groupBy(asked, ({ resource, credential: { token, who = token, kind } }) =>
    JSON.stringify(log.isPartial ? [resource, token] : [resource, who, kind === 'pat']),
  );
  return [...byCaller.values()].map((own) => {
    const all = own.map((entry): List => {
      const query = filtersOf(entry) ?? {};
      return { entry, query, kind: FILTERS.filter((field) => hasMember(query, field)).join(), keys: listedKeys(entry) };
    });
    const listed = all.filter(({ entry }) => isDocumented(entry) && isList(entry));
    const providers = new Set(listed.flatMap(({ keys }) => distinct(keys, 'provider')).map(folded));
    const answered = new Set(listed.map((list) => canonical(list.query) + contentsOf(list)));
    // What happens to a provider that is none of the seven is not shown: the filter may be ignored.
    const lists = listed.filter((list) => {
      const { provider, ...others } = list.query;
      const isUnknown = provider !== undefined && !providers.has(folded(provider));
      return !isUnknown || list.keys.length === 0 || !answered.has(canonical(others) + contentsOf(list));
    });
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
      /** In the order of their answers. */
      wholes,
      refused: all.filter(({ entry }) => !isOk(entry)),
      overlapping: overlappingIn(lists.map(({ entry }) => entry)),
      values: Object.fromEntries(FILTERS.map((field) => [field, distinct(keys, field)])),
      /** The keys that were listed, from when to when. */
      seen: [...seen.values()],
      singles: lists.filter(({ kind }) => FILTERS.some((field) => field === kind)),
      /** When a whole list was requested last, and when one with the same keys. */
      lastWhole: wholes.reduce((last, { entry }) => Math.max(last, entry.begin), 0),
      lasting: new Map(wholes.map((whole) => [contentsOf(whole), whole.entry.begin])),
    };
  });
});
type Shelf = ReturnType<typeof shelvesOf>[number];

/** The whole list at the time of another list: the nearest one before it whose keys a whole list after it shows, too. */
const wholeAt = ({ wholes, lasting, lastWhole }: Shelf, { entry }: List): List | undefined =>
  lastWhole < entry.end
    ? undefined
    : wholes.findLast((whole) => whole.entry.end <= entry.begin && (lasting.get(contentsOf(whole)) ?? 0) >= entry.end);

const matches = (key: JsonObject, { query }: List): boolean =>
  Object.entries(query).every(([field, value]) => memberOf(key, field) === value);

/** The keys that a list should hold: of the whole list at its time, else those that lists before and after it show. */
function expectedIn(shelf: Shelf, list: List): JsonObject[] {
  const lasting = shelf.seen.filter(({ from, to }) => from <= list.entry.begin && to >= list.entry.end);
  const keys = wholeAt(shelf, list)?.keys ?? lasting.map(({ key }) => key);
  return keys.filter((key) => matches(key, list));
}

/** The lists of a kind; of those that overlap another one only where there are no others. */
function listsOf({ lists, overlapping }: Shelf, kind: string): List[] {
  const own = lists.filter((list) => list.kind === kind);
  const alone = own.filter(({ entry }) => !overlapping.has(entry));
  return alone.length > 0 ? alone : own;
}

/** The ids that `a` lists more often than `b`. */
function missingFrom(a: readonly JsonObject[], b: readonly JsonObject[]): unknown[] {
  const [own, other] = [a, b].map((keys) => groupBy(keys, ({ id }) => id));
  return [...(own?.keys() ?? [])].filter((id) => (own?.get(id)?.length ?? 0) > (other?.get(id)?.length ?? 0));
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
export function mayBePage(keys: readonly JsonObject[], more: unknown[], filtered: readonly { keys: unknown[] }[]) {
  if (more.length === 0 || !PAGE_SIZES.has(keys.length)) return false;
  return filtered.every((list) => list.keys.length <= keys.length) && !keys.some(({ id }) => more.includes(id));
}

const NAME = OPERATIONS['api-keys'].name;
const subjectOf = (list: List): string =>
  isWhole(list) ? `${NAME} without filters` : `The list with ${new URLSearchParams(list.query)}`;
const idsOf = (keys: readonly JsonObject[]): unknown[] => keys.map(({ id }) => id);
const holdsId = ({ keys }: List, id: unknown): boolean => keys.some((key) => key.id === id);

const eachShelf =
  (judge: (shelf: Shelf, log: Log) => Judged[]): Judge =>
  (log) =>
    shelvesOf(log).flatMap((shelf) => judge(shelf, log).flat());

const ofKind = (kind: string, judge: (shelf: Shelf, list: List) => Judged): Judge =>
  eachShelf((shelf, log) => [
    ...shelf.refused.filter((each) => each.kind === kind).map((each) => judgeRefused(log, shelf, each)),
    ...listsOf(shelf, kind).map((list) => judge(shelf, list)),
  ]);

/** The seven are the same for all tenants. */
const listedProviders = once(
  (log: Log) => new Set(of(log, 'api-keys').flatMap((entry) => listedKeys(entry).map(({ provider }) => provider))),
);

/** A caller who gets a list gets the whole one, too, and one by what the fields hold; who may call it at all is not shown (part 5). */
function judgeRefused(log: Log, shelf: Shelf, list: List): Judged {
  const { entry, query } = list;
  const { token, who } = entry.credential;
  if (statusOf(entry) === 401 || isOdd(entry)) return [];
  const isOwn = ([field, value]: [string, string]) => memberOf(shelf.values, field)?.includes(value) === true;
  const ofOthers = Object.entries(query).filter((each) => !isOwn(each));
  const isKnown = ofOthers.every(([field, value]) => field === 'provider' && listedProviders(log).has(value));
  const own = isWhole(list) ? shelf.lists : shelf.wholes;
  const control = own.find((each) => each.entry.credential.token === token)?.entry;
  const isProven = of(log, 'scopes').some((each) => isOk(each) && each.credential.token === token);
  const isOfTenant = entry.resource === asText(log.resources?.tenantId);
  const isAdmin = isWhole(list) && who === 'admin' && isOfTenant && isContentRefused(entry) && isProven;
  const what = isKnown && ofOthers.length > 0 ? ', and another tenant has a key of that provider' : '';
  const message = `${subjectOf(list)} did not succeed: it was answered ${statusOf(entry)}${what}.`;
  return (isKnown && control) || isAdmin ? refused(message, entry, control) : [];
}

/** What identifies an API key for as long as it exists: nothing says that ids are unique across tenants. */
const isSameKey = (a: JsonObject, b: JsonObject): boolean =>
  ['id', 'provider', 'name', 'created_at'].every((field) => sameValue(field, memberOf(a, field), memberOf(b, field)));

/** Lists of each tenant that are compared. */
const COMPARED = 40;

const ofTheTenant: Judge = function* (log) {
  // Requests for other tenants are odd, since they may be refused.
  const lists = of(log, 'api-keys').filter(
    (entry) => isOk(entry) && !entry.credential.flaw && entry.hasBody && isList(entry),
  );
  const tenants = [...groupBy(lists, ({ resource }) => resource).values()].map((own) => own.slice(0, COMPARED));
  for (const [at, own] of tenants.entries())
    for (const a of own)
      for (const b of tenants.slice(at + 1).flat()) {
        const keys = listedKeys(a);
        const shared = listedKeys(b).filter((key) => keys.some((each) => isSameKey(each, key)));
        const message = `The list of tenant ${b.resource} holds API keys of tenant ${a.resource}.`;
        if (shared.length > 0) yield violated(message, 'none of them in both', idsOf(shared), a, b);
        else if (keys.length > 0) yield shown(a, b);
      }
  // A refusal of another tenant is as right as its own list.
  const denied = of(log, 'api-keys').find((entry) => isRefused(entry) && entry.asked?.odd.includes('tenant'));
  const own = lists.find((entry) => listedKeys(entry).length > 0);
  if (denied && own) yield shown(own, denied);
};

/** A service may take the letter case of a filter as it likes; an empty one is no filter. */
const mayMatch = (key: JsonObject, { query }: List): boolean =>
  Object.entries(query).every(([field, value]) => {
    const [wanted, own] = [folded(value), memberOf(key, field)];
    return wanted === '' || typeof own !== 'string' || own.toLowerCase() === wanted;
  });

function judgeForeign(list: List): Violation | undefined {
  const foreign = list.keys.find((key) => !mayMatch(key, list));
  if (!foreign) return undefined;
  const actual = Object.fromEntries(Object.keys(list.query).map((field) => [field, memberOf(foreign, field)]));
  return violated(`${subjectOf(list)} holds an API key that does not match.`, list.query, actual, list.entry);
}

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
  const reason = `all API keys of the tenant have one ${list.kind}, so a filter that does nothing would not show`;
  const isSeveral = (memberOf(shelf.values, list.kind) ?? []).length > 1;
  return judgeForeign(list) ?? (isSeveral ? shown(list.entry) : open(`${reason}; ${OTHER_TENANT}`));
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
  shelf.singles.some((single) => {
    const textOf = (keys: readonly JsonObject[]) => idsOf(keys).map(asText).toSorted().join();
    const expected = textOf(single.keys.filter((key) => matches(key, list)));
    return matches(list.query, single) && expected !== '' && expected === textOf(list.keys);
  });

function judgeBoth(shelf: Shelf, list: List): Judged {
  const added = isBothOfSingles(shelf, list) ? shown(list.entry) : judgeAdded(shelf, list);
  const all = [judgeForeign(list) ?? [], judgeComplete(shelf, list), added].flat();
  if (all.some(({ state }) => state === 'violated')) return all;
  if (FILTERS.every((field) => (memberOf(shelf.values, field) ?? []).length < 2))
    return open(`all API keys of the tenant have one provider and one status; ${OTHER_TENANT}`);
  const unknown = all.filter(({ state }) => state === 'open');
  return unknown.length > 0 ? unknown : all;
}

const partition = eachShelf((shelf) => {
  const singles = FILTERS.map((field) => listsOf(shelf, field));
  return [
    ...singles.flat().map((list) => judgeAdded(shelf, list)),
    judgeUnfindable(shelf, singles),
    ...shelf.lists.map((list) => judgeGivenInPart(shelf, list)),
    ...shelf.wholes.slice(1).map((whole, at) => judgeChange(shelf, shelf.wholes[at] as List, whole)),
  ];
});

/** A list by a filter that is given to a caller who is refused the whole one, each time. */
function judgeGivenInPart(shelf: Shelf, list: List): Judged {
  if (isWhole(list) || list.keys.length === 0 || shelf.wholes.length > 0) return [];
  const message = `${subjectOf(list)} is given to a caller who is refused the whole list.`;
  return givenThough(shelf.refused.find(isWhole), list, message);
}

/** API keys that the filter of neither their provider nor their status finds. */
function judgeUnfindable(shelf: Shelf, singles: readonly (readonly List[])[]): Judged {
  const [first = [], second = []] = singles.map((lists) =>
    lists.map((list) => ({ list, ids: missingFrom(expectedIn(shelf, list), list.keys) })),
  );
  return first.flatMap(({ list, ids }) =>
    second.flatMap((other): Judged => {
      const more = ids.filter((id) => other.ids.includes(id));
      const whole = wholeAt(shelf, list);
      if (more.length === 0 || !whole || isPaged(whole)) return [];
      const message = `API key ${show(more[0])} of the whole list is in neither list of its provider and its status.`;
      const expected = 'the API keys that the filters list, and only those';
      return violated(message, expected, { more }, other.list.entry, list.entry, whole.entry);
    }),
  );
}

/** Milliseconds between two lists, too short for all API keys to be replaced. */
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
const besideIn = once((log: Log) => overlappingIn(of(log, 'api-keys')));
const givenBeside = once((log: Log) => overlappingIn(of(log, 'api-keys').filter(isOk)));

const overlapping = eachShelf((shelf, log) => {
  const isAlone = ({ entry }: List): boolean => !besideIn(log).has(entry);
  const isSame = (a: List, b: List): boolean => canonical(a.query) === canonical(b.query);
  return [
    ...shelf.refused.map((list): Judged => {
      const alone = shelf.lists.find((each) => isSame(each, list) && isAlone(each));
      if (![403, 404].includes(statusOf(list.entry)) || isAlone(list) || !alone) return [];
      const message = `${subjectOf(list)} was refused while another list was requested, and succeeds alone.`;
      return refused(message, list.entry, alone.entry);
    }),
    ...shelf.lists.map((list): Judged => {
      if (!givenBeside(log).has(list.entry) || shelf.lists.some(isAlone)) return [];
      const denied = shelf.refused.find((each) => isSame(each, list) && isAlone(each));
      const message = `${subjectOf(list)} was given to a caller while another one requested it, and is refused to that caller alone.`;
      return givenThough(denied, list, message);
    }),
    ...shelf.lists.map((list): Judged => {
      if (!shelf.overlapping.has(list.entry)) return [];
      const finding = judgeForeign(list) ?? judgeMissing(shelf, list);
      const message = `${finding?.message} Another list was requested at the same time.`;
      return finding ? { ...finding, message } : shown(list.entry);
    }),
  ];
});

/** A list that is given although it was refused for lack of a right. */
function givenThough(denied: List | undefined, list: List, message: string): Judged {
  if (!denied || statusOf(denied.entry) !== 403) return [];
  const expected = `a refusal, as ${describe(denied.entry.answer)}`;
  return violated(message, expected, describe(list.entry.answer), denied.entry, list.entry);
}

/** A key is the same in each kind of lists. */
function judgeField(lists: readonly List[], field: string): Judged {
  const looks = lists.flatMap(({ entry, kind, keys }) =>
    keys
      .filter(({ id }) => idsOf(keys).indexOf(id) === idsOf(keys).lastIndexOf(id))
      .map((key) => ({ id: key.id, entry, kind, value: memberOf(key, field) })),
  );
  const held = looks.filter(({ id, value }) => typeof id === 'string' && holdsField('TenantApiKey', field, value));
  return [...groupBy(held, ({ id }) => id)].flatMap(([id, seen]): Judged => {
    // A status changes, and replicas that lag show the former one in between.
    const byKind = [...groupBy(seen, ({ kind }) => kind).values()];
    const isMoving = field === 'status' && byKind.some((all) => all.some(({ value }) => value !== all[0]?.value));
    if (isMoving) return [];
    const isSame = (a: unknown, b: unknown): boolean => sameValue(field, a, b);
    if (seen.every(({ value }) => isSame(value, seen[0]?.value)))
      return seen.slice(1, 2).map(({ entry }) => shown(entry));
    // A key has no third time of creation.
    const [first, before, found] = restlessIn(seen, isSame, field === 'created_at') ?? [];
    if (!first || !before || !found) return [];
    const message = `API key ${show(id)} has another ${field} in each of two kinds of lists that the same caller got.`;
    const requirement = memberOf(fieldsOf('TenantApiKey'), field)?.requirement;
    const [expected, actual] = [before, found].map(({ value }) => ({ [field]: value }));
    return { ...violated(message, expected, actual, first.entry, before.entry, found.entry), requirement };
  });
}

const toPat = eachShelf(({ lists }, log) =>
  lists.map((list): Judged => {
    const { credential, resource } = list.entry;
    if (credential.kind !== 'pat' || credential.who === undefined) return [];
    const isOfJwt = ({ entry }: List): boolean =>
      entry.credential.kind !== 'pat' && entry.credential.who === credential.who && entry.resource === resource;
    const jwt = shelvesOf(log).find((shelf) => shelf.lists.some(isOfJwt));
    if (jwt) return judgeToPat(jwt, list);
    const refusals = shelvesOf(log).flatMap((shelf) => shelf.refused);
    const denied = refusals.find((each) => isOfJwt(each) && statusOf(each.entry) === 403);
    const message = `${subjectOf(list)} is given to a PAT, and is refused to a JWT of its user.`;
    return list.keys.length > 0 ? givenThough(denied, list, message) : [];
  }),
);

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

/** Of a filter, that it lists nothing else, and that it leaves nothing out. */
const filterRules = (field: string, nothingElse: string, nothingLess: string) => [
  {
    id: `keys-filter-${field}-only`,
    requirements: [nothingElse],
    title: `the ${field} filter accepts the value of the ${field} field and lists nothing of another ${field}`,
    judge: ofKind(field, judgeOnly),
  },
  {
    id: `keys-filter-${field}-whole`,
    requirements: [nothingLess],
    title: `the ${field} filter lists every API key of that ${field}`,
    judge: ofKind(field, judgeComplete),
  },
];

export const keyRules = rulesOf('api-keys', [
  {
    id: 'keys-list',
    requirements: ['KEY-01'],
    title: 'the API keys of a tenant are listed without any query parameter',
    judge: ofKind('', (_, { entry }) => shown(entry)),
  },
  {
    id: 'keys-of-the-tenant',
    requirements: ['KEY-17'],
    title: 'the list is that of the tenant that the path addresses',
    judge: ofTheTenant,
  },
  ...filterRules('provider', 'KEY-11', 'KEY-12'),
  ...filterRules('status', 'KEY-13', 'KEY-14'),
  {
    id: 'keys-filter-both',
    requirements: ['KEY-15'],
    title: 'both filters together list exactly the API keys that match both',
    judge: ofKind(BOTH, judgeBoth),
  },
  {
    id: 'keys-filters-partition',
    requirements: ['KEY-16'],
    title: 'without a filter the list holds what the filters partition',
    judge: partition,
  },
  {
    id: 'keys-overlapping',
    requirements: ['KEY-15'],
    title: 'lists of API keys that one caller asks for at the same time each hold what matches their own filters',
    isOptional: true,
    phases: ['others', 'lists', 'overlaps'],
    judge: overlapping,
  },
  {
    id: 'keys-one-record',
    requirements: ['KEY-04', 'KEY-05', 'KEY-06', 'KEY-07'],
    title: 'an API key is the same in every list',
    isOptional: true,
    judge: eachShelf(({ lists }) =>
      // The fields that belong to a key and not to the list that shows it.
      ['created_at', ...FILTERS, 'name'].map((field) => judgeField(lists, field)),
    ),
  },
  {
    id: 'pat-api-keys',
    requirements: ['AUT-02'],
    title: 'the API keys listed to a PAT, with filters and without, are those listed to a JWT of its user',
    isOptional: true,
    phases: ['scopes', 'others', 'lists'],
    isOfPat: true,
    judge: toPat,
  },
]);
