import { fieldsOf } from '../api/records.ts';
import { isContentRefused, isOk, isRefused, type Log, overlappingIn, statusOf } from '../log/entry.ts';
import { canonical } from '../log/log.ts';
import { describe } from '../values/answer.ts';
import { groupBy } from '../values/group.ts';
import { type JsonObject, show } from '../values/json.ts';
import { FILTERS, isList, listedKeys } from './documented.ts';
import { holdsField, sameValue } from './fields.ts';
import { filterRules, judgeForeign, judgeMissing, partition } from './key-filters.ts';
import {
  isOdd,
  type Judged,
  type Judgement,
  notSucceeded,
  of,
  perLog,
  type Rule,
  refused,
  shown,
  violated,
} from './rule.ts';
import {
  type Asked,
  byId,
  isPaged,
  isWhole,
  type List,
  matches,
  mayBePage,
  missingFrom,
  NAME,
  type Shelf,
  shelvesOf,
  subjectOf,
  wholeAt,
} from './shelves.ts';

/**
 * What lists of API keys say together (4.3). Other clients may change the keys at any time: a filtered list is compared
 * with the whole lists before and after it, and counts only where those agree.
 */

const listed: Rule = {
  id: 'keys-list',
  requirements: ['KEY-01'],
  title: 'the API keys of a tenant are listed without any query parameter',
  judge: (log) =>
    shelvesOf(log).flatMap(({ lists, refused }) => [
      ...lists.filter(isWhole).map(({ entry }) => shown(entry)),
      ...refused.filter(isWhole).flatMap(({ entry }): Judged => {
        const { token, who } = entry.credential;
        if (statusOf(entry) === 401 || isOdd(entry)) return [];
        // Who may call the administration area is not shown (part 5): a caller who gets a list gets the whole one, too.
        const control = lists.find((list) => list.entry.credential.token === token)?.entry;
        const isProven = of(log, 'scopes').some((each) => isOk(each) && each.credential.token === token);
        const isAdmin = who === 'admin' && isContentRefused(entry) && (isProven || !log.isPartial);
        return control || isAdmin ? notSucceeded(NAME, entry, '', ...(control ? [control] : [])) : [];
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
    const lists = of(log, 'api-keys').filter(
      (entry) => isOk(entry) && !entry.credential.flaw && entry.hasBody && isList(entry),
    );
    const tenants = [...groupBy(lists, ({ resource }) => resource).values()].map((own) => own.slice(0, COMPARED));
    const pairs = tenants.flatMap((own, at) =>
      own.flatMap((a) => tenants.slice(at + 1).flatMap((theirs) => theirs.map((b) => [a, b] as const))),
    );
    for (const [a, b] of pairs) {
      const shared = listedKeys(b).filter((key) => listedKeys(a).some((one) => isSameKey(one, key)));
      const message = `The list of tenant ${b.resource} holds API keys of tenant ${a.resource}.`;
      const ids = shared.map(({ id }) => id);
      if (ids.length > 0) yield violated(message, 'none of them in both', ids, a, b);
      else if (listedKeys(a).length > 0) yield shown(a, b);
    }
    // A refusal of another tenant is as right as its own list.
    const refused = of(log, 'api-keys').find((entry) => isRefused(entry) && entry.asked?.odd.includes('tenant'));
    const own = lists.find((entry) => listedKeys(entry).length > 0);
    if (refused && own) yield shown(own, refused);
  },
};

/** Requests for lists that overlap another one, of any caller; and such that were both given. */
const besideIn = perLog((log) => overlappingIn(of(log, 'api-keys')));
const givenBeside = perLog((log) => overlappingIn(of(log, 'api-keys').filter(isOk)));

const overlapping: Rule = {
  id: 'keys-overlapping',
  requirements: ['KEY-15'],
  title: 'lists of API keys that one caller asks for at the same time each hold what matches their own filters',
  judge: (log) =>
    shelvesOf(log).flatMap((shelf) => [
      ...shelf.refused.flatMap((each) => judgeRefusedBeside(log, shelf, each)),
      ...shelf.lists.flatMap((each) => judgeGivenBeside(log, shelf, each)),
      ...shelf.lists
        .filter(({ entry }) => shelf.overlapping.has(entry))
        .map((list) => {
          const finding = judgeForeign(list) ?? judgeMissing(shelf, list);
          const message = `${finding?.message} Another list was requested at the same time.`;
          return finding ? { ...finding, message } : shown(list.entry);
        }),
    ]),
};

/** A list that succeeds alone and is refused while another list is requested. */
function judgeRefusedBeside(log: Log, { lists }: Shelf, asked: Asked): Judged {
  if (![403, 404].includes(statusOf(asked.entry)) || !besideIn(log).has(asked.entry)) return [];
  const alone = lists.find(
    ({ entry, query }) => canonical(query) === canonical(asked.query) && !besideIn(log).has(entry),
  );
  const message = `${subjectOf(asked)} was refused while another list was requested, and succeeds alone.`;
  return alone ? refused(message, alone.entry, asked.entry) : [];
}

/** A list that the caller may not get alone, and gets while another caller requests it. */
function judgeGivenBeside(log: Log, shelf: Shelf, list: List): Judged {
  const isAlone = ({ entry }: Asked): boolean => !besideIn(log).has(entry);
  if (!givenBeside(log).has(list.entry) || shelf.lists.some(isAlone)) return [];
  const denied = shelf.refused.find(
    (each) => statusOf(each.entry) === 403 && canonical(each.query) === canonical(list.query) && isAlone(each),
  );
  if (!denied) return [];
  const message = `${subjectOf(list)} was given to a caller while another one requested it, and is refused to that caller alone.`;
  return violated(message, 'a refusal (403), as alone', describe(list.entry.answer), denied.entry, list.entry);
}

/** The fields that belong to a key and not to the list that shows it. */
const KEY_FIELDS = ['created_at', ...FILTERS, 'name'];

/** More values than people give a field in one run. */
const TOO_MANY = 3;

/** A value that comes back after another one was not changed by anybody: each kind of list has its own. */
const oneRecord: Rule = {
  id: 'keys-one-record',
  requirements: ['KEY-04', 'KEY-05', 'KEY-06', 'KEY-07'],
  title: 'an API key is the same in every list',
  judge: (log) => shelvesOf(log).flatMap(({ lists }) => KEY_FIELDS.flatMap((field) => judgeField(lists, field))),
};

function judgeField(lists: readonly List[], field: string): Judgement[] {
  const holding = lists.flatMap((list) =>
    [...byId(list)]
      .filter(([, key]) => holdsField('TenantApiKey', field, key[field]))
      .map(([id, key]) => ({
        id,
        entry: list.entry,
        kind: Object.keys(list.query).toSorted().join(),
        value: key[field],
      })),
  );
  return [...groupBy(holding, ({ id }) => id)].flatMap(([id, seen]) => {
    const changes = seen.filter(({ value }, at) => at === 0 || !sameValue(field, value, seen[at - 1]?.value));
    const [first, last] = changes;
    // A status changes, and replicas that lag show the former one in between.
    const isMoving =
      field === 'status' &&
      seen.some((a) => seen.some((b) => a.kind === b.kind && !sameValue(field, a.value, b.value)));
    if (isMoving) return [];
    if (!first || !last) return seen.slice(1, 2).map(({ entry }) => shown(entry));
    const again = changes.findIndex(({ value }, at) =>
      changes.slice(0, at).some((each) => sameValue(field, each.value, value)),
    );
    const place = again > 0 ? again : field === 'created_at' ? TOO_MANY - 1 : changes.length;
    const [before, found] = [changes[place - 1], changes[place]];
    if (!before || !found) return [];
    const message = `API key ${show(id)} has another ${field} in each of two kinds of lists that the same caller got.`;
    const requirement = fieldsOf('TenantApiKey')[field]?.requirement;
    const [expected, actual] = [before, found].map(({ value }) => ({ [field]: value }));
    return { ...violated(message, expected, actual, first.entry, before.entry, found.entry), requirement };
  });
}

/** A PAT is listed what a JWT of its user is (part 5). */
const toPat: Rule = {
  id: 'pat-api-keys',
  requirements: ['AUT-02'],
  title: 'the API keys listed to a PAT, with filters and without, are those listed to a JWT of its user',
  judge(log) {
    const shelves = shelvesOf(log);
    return shelves.flatMap(({ lists }) =>
      lists.flatMap((list): Judged => {
        const { credential, resource } = list.entry;
        if (credential.kind !== 'pat' || credential.who === undefined) return [];
        const isOfJwt = ({ entry }: Asked): boolean =>
          entry.credential.kind !== 'pat' && entry.credential.who === credential.who && entry.resource === resource;
        const jwt = shelves.find((shelf) => shelf.lists.some(isOfJwt));
        return jwt ? judgeToPat(jwt, list) : judgeDenied(shelves.flatMap((shelf) => shelf.refused).find(isOfJwt), list);
      }),
    );
  },
};

function judgeDenied(denied: Asked | undefined, list: List): Judged {
  if (!denied || statusOf(denied.entry) !== 403 || list.keys.length === 0) return [];
  const message = `${subjectOf(list)} is given to a PAT, and is refused to a JWT of its user.`;
  const expected = `a refusal, as to the JWT: ${describe(denied.entry.answer)}`;
  return violated(message, expected, describe(list.entry.answer), denied.entry, list.entry);
}

function judgeToPat(jwt: Shelf, list: List): Judged {
  const whole = wholeAt(jwt, list);
  if (!whole || isPaged(whole)) return [];
  const expected = whole.keys.filter((key) => matches(key, list.query));
  const [missing, more] = [missingFrom(expected, list.keys), missingFrom(list.keys, expected)];
  if (missing.length + more.length === 0) return shown(whole.entry, list.entry);
  if (isOdd(list.entry) || mayBePage(whole.keys, more, [list])) return [];
  const message = `${subjectOf(list)} holds other API keys for a PAT than for a JWT of its user.`;
  const ids = expected.map(({ id }) => id);
  return violated(message, ids, { missing, more }, whole.entry, list.entry);
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
