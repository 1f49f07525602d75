import { fieldsOf } from '../api/records.ts';
import { type Entry, isContentRefused, isOk, isRefused } from '../log/entry.ts';
import { describe } from '../values/answer.ts';
import { groupBy } from '../values/group.ts';
import { type JsonObject, show } from '../values/json.ts';
import { holdsField, sameValue } from './field-rules.ts';
import { bothFilters, filterRule } from './key-filters.ts';
import { partition } from './key-partition.ts';
import { overlapping } from './keys-beside.ts';
import { listedKeys, listFindings, missingFrom } from './listed-keys.ts';
import { isPaged, mayBePage } from './pages.ts';
import { type Judged, type Judgement, notSucceeded, of, type Rule, shown, violated } from './rule.ts';
import { byId, isWhole, matches, NAME, type Shelf, shelvesOf, subjectOf, wholeAt } from './shelves.ts';

/**
 * What lists of API keys say together (4.3). Other clients may change the keys at any time: a filtered list is compared
 * with the whole lists before and after it, and counts only where those agree.
 */

const listed: Rule = {
  id: 'keys-list',
  requirements: ['KEY-01'],
  title: 'the API keys of a tenant are listed without any query parameter',
  judge: (log) =>
    shelvesOf(log).flatMap((shelf) => [
      ...shelf.lists.filter(isWhole).map(({ entry }) => shown(entry)),
      ...shelf.refused.filter(isWhole).flatMap(({ entry }): Judged => {
        const { status } = entry.answer.response;
        if (status === 401 || (entry.asked && entry.asked.odd.length > 0)) return [];
        // Who may call the administration area is not shown (part 5): a caller who gets a list gets the whole one, too.
        const control = shelf.lists.find((list) => list.entry.credential.token === entry.credential.token)?.entry;
        const isProven = of(log, 'scopes').some(
          (each) => isOk(each) && each.credential.token === entry.credential.token,
        );
        const isAdmin = entry.credential.who === 'admin' && isContentRefused(entry) && (isProven || !log.isPartial);
        if (!control && !isAdmin) return [];
        return notSucceeded(NAME, entry, '', control ? [control] : []);
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
  *judge(log) {
    // Requests for other tenants are odd, since they may be refused.
    const lists = of(log, 'api-keys').filter(
      (entry) => isOk(entry) && !entry.credential.flaw && entry.hasBody && listFindings('', entry).length === 0,
    );
    const tenants = [...groupBy(lists, ({ resource }) => resource).values()].map((own) => own.slice(0, 40));
    for (const [at, own] of tenants.entries())
      for (const theirs of tenants.slice(at + 1))
        for (const a of own)
          for (const b of theirs) {
            const mine = listedKeys(a);
            const shared = listedKeys(b).filter((key) => mine.some((one) => isSameKey(one, key)));
            if (shared.length > 0)
              yield violated({
                message: `The list of tenant ${b.resource} holds API keys of tenant ${a.resource}.`,
                expected: 'none of them in both',
                actual: shared.map(({ id }) => id),
                by: [a, b],
              });
            else if (mine.length > 0) yield shown(a, b);
          }
    // A refusal of another tenant is as right as its own list.
    const refused = of(log, 'api-keys').find((entry) => isRefused(entry) && entry.asked?.odd.includes('tenant'));
    const own = lists.find((entry) => listedKeys(entry).length > 0);
    if (refused && own) yield shown(own, refused);
  },
};

/** The fields that belong to a key and not to the list that shows it. */
const KEY_FIELDS = ['created_at', 'provider', 'name', 'status'];

/** More changes than people make in one run. */
const TOO_MANY_TIMES = 3;

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
  judge: (log) => shelvesOf(log).flatMap((shelf) => [...judgeAgreement(shelf)]),
};

function* judgeAgreement({ lists }: Shelf): Generator<Judgement> {
  const history = new Map<string, { entry: Entry; key: JsonObject }[]>();
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
          yield violated({
            requirement: fieldsOf('TenantApiKey')[field]?.requirement ?? '',
            message: `API key ${show(id)} has another ${field} in each of two kinds of lists that the same caller got.`,
            expected: { [field]: last.key[field] },
            actual: { [field]: key[field] },
            by: [...(earlier ? [earlier.entry] : []), last.entry, list.entry],
          });
        history.set(place, [...seen, { entry: list.entry, key }].slice(-TOO_MANY_TIMES));
      }
    if (isSame) yield shown(list.entry);
  }
}

/** A PAT is listed what a JWT of its user is (part 5). */
const toPat: Rule = {
  id: 'pat-api-keys',
  requirements: ['AUT-02'],
  title: 'the API keys listed to a PAT, with filters and without, are those listed to a JWT of its user',
  *judge(log) {
    const shelves = shelvesOf(log);
    for (const list of shelves.flatMap(({ lists }) => lists)) {
      const { credential, resource } = list.entry;
      if (credential.kind !== 'pat' || credential.who === undefined) continue;
      const isOfJwt = ({ entry }: { entry: Entry }): boolean =>
        entry.credential.kind !== 'pat' && entry.credential.who === credential.who && entry.resource === resource;
      const jwt = shelves.find(({ lists }) => lists.some(isOfJwt));
      const denied = jwt ? undefined : shelves.flatMap(({ refused }) => refused).find(isOfJwt);
      if (denied?.entry.answer.response.status === 403 && list.keys.length > 0)
        yield violated({
          message: `${subjectOf(list)} is given to a PAT, and is refused to a JWT of its user.`,
          expected: `a refusal, as to the JWT: ${describe(denied.entry.answer)}`,
          actual: describe(list.entry.answer),
          by: [denied.entry, list.entry],
        });
      const whole = jwt && wholeAt(jwt, list);
      if (!whole || isPaged(whole.entry, whole.keys)) continue;
      const expected = whole.keys.filter((key) => matches(key, list.query));
      const [missing, more] = [missingFrom(expected, list.keys), missingFrom(list.keys, expected)];
      const isOdd = list.entry.asked !== undefined && list.entry.asked.odd.length > 0;
      if (missing.length + more.length === 0) yield shown(whole.entry, list.entry);
      else if (!isOdd && !mayBePage(whole.keys, more, [list.keys]))
        yield violated({
          message: `${subjectOf(list)} holds other API keys for a PAT than for a JWT of its user.`,
          expected: expected.map(({ id }) => id),
          actual: { missing, more },
          by: [whole.entry, list.entry],
        });
    }
  },
};

export const keyRules: readonly Rule[] = [
  listed,
  ofTheTenant,
  filterRule('provider', 'only', 'KEY-11'),
  filterRule('provider', 'whole', 'KEY-12'),
  filterRule('status', 'only', 'KEY-13'),
  filterRule('status', 'whole', 'KEY-14'),
  bothFilters,
  partition,
  overlapping,
  oneRecord,
  toPat,
];
