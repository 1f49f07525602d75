import { OPERATIONS } from '../api/operations.ts';
import {
  type Entry,
  isContentRefused,
  isMaskIn,
  isOk,
  jsonIn,
  type Log,
  overlappingIn,
  sentObject,
  statusOf,
} from '../log/entry.ts';
import { canonical } from '../log/log.ts';
import { describe } from '../values/answer.ts';
import { groupBy } from '../values/group.ts';
import { isObject, type JsonObject, show } from '../values/json.ts';
import { isJwt } from '../values/jwt.ts';
import { isMild, isSignIn } from './documented.ts';
import { holdsField, sameId, sameInstant } from './fields.ts';
import { each, isOdd, type Judged, type Judgement, of, open, type Rule, refused, shown, violated } from './rule.ts';

/** What sign-ins say of who signs in (4.1): the claims identify the user. */

/** The user that a sign-in answered. */
function userOf(entry: Entry): JsonObject | undefined {
  const grant = jsonIn(entry);
  return isOk(entry) && isObject(grant) && isObject(grant.user) ? grant.user : undefined;
}

const claimsOf = (entry: Entry): string => canonical(sentObject(entry));

const isOfActor = ({ actors }: Log, entry: Entry): boolean =>
  Object.values(actors).some((actor) => actor?.sso && canonical(actor.sso) === claimsOf(entry));

const withoutAuthorization: Rule = {
  id: 'sso-without-authorization',
  requirements: ['SSO-01'],
  title: 'the SSO login is called without an Authorization header',
  judge(log) {
    const signIns = of(log, 'sso').filter(isSignIn);
    const hasHeader = ({ answer }: Entry): boolean => answer.request.headers.Authorization !== undefined;
    return signIns.filter(isOk).map((entry) => {
      if (!hasHeader(entry)) return shown(entry);
      const before = signIns.find(
        (other) =>
          other.n < entry.n &&
          !hasHeader(other) &&
          [401, 403].includes(statusOf(other)) &&
          claimsOf(other) === claimsOf(entry),
      );
      if (!before) return open('every SSO login has an Authorization header');
      const actual = `${describe(before.answer)} without, ${describe(entry.answer)} with the header`;
      const message = 'The SSO login was refused without an Authorization header and succeeded with one.';
      return violated(message, 'success without Authorization', actual, entry, before);
    });
  },
};

const claimsAccepted: Rule = {
  id: 'sso-claims-accepted',
  requirements: ['SSO-02', 'GEN-02'],
  title: 'the SSO login accepts a JSON body with the claims oid, tid and upn',
  judge: each('sso', (entry, log) => {
    if (!isSignIn(entry) || isOdd(entry)) return [];
    if (isOk(entry)) return shown(entry);
    const status = statusOf(entry);
    if (status === 429) return [];
    // Whether a service knows an identity, and what it answers where it does not, is not shown.
    const isKnown = isOfActor(log, entry) && (isContentRefused(entry) || status === 404);
    // That an identity may sign in once only is another rule's finding.
    if (!isKnown || of(log, 'sso').some((other) => isOk(other) && claimsOf(other) === claimsOf(entry)))
      return open(`an SSO login was answered ${describe(entry.answer)}; the service may not know the identity`);
    const message = `${OPERATIONS.sso.name} did not succeed for an actor of the target file: it answered ${status}.`;
    return refused(message, entry);
  }),
};

/** The times of sign-ins of one identity that a difference is looked for in. */
const COMPARED = 8;

/** The same identity is the same user at every login: of those that overlap another one where `atOnce`, else of the others. */
function stableRule(id: string, title: string, atOnce: boolean): Rule {
  const judge = (log: Log): Judgement[] => {
    const signIns = of(log, 'sso').filter(isSignIn);
    const overlapping = overlappingIn(signIns.filter(userOf));
    return [...groupBy(signIns, claimsOf).values()].flatMap((all) => {
      const own = all.filter(userOf);
      const same = own.slice(1).flatMap((entry, at): Judged => {
        if (overlapping.has(entry) !== atOnce) return [];
        const before = own.slice(Math.max(0, at + 1 - COMPARED), at + 1);
        const [first] = before;
        const field = first && changedField(before, entry);
        if (!first || !field) return shown(...before.slice(0, 1), entry);
        const message = `The same identity signed in with another ${field} of the user than before${atOnce ? ', while others signed in' : ''}.`;
        return violated(message, userOf(first)?.[field], userOf(entry)?.[field], first, entry);
      });
      return [...same, ...(log.isPartial || atOnce ? [] : refusedLater(all))];
    });
  };
  return { id, requirements: ['SSO-17'], title, judge };
}

/** Sign-ins that are refused to an identity that signed in before. */
function refusedLater(own: readonly Entry[]): Judgement[] {
  const before = own.find(isOk);
  // A service may have no time for two at once, and says so with another status.
  const isOfTwo = (entry: Entry): boolean => statusOf(entry) === 401 && entry.asked?.odd.join() === 'overlap';
  const later = own.filter((entry) => before && entry.n > before.n && (isMild(entry) || isOfTwo(entry)));
  return later
    .filter((entry) => !isOk(entry) && statusOf(entry) !== 429)
    .map((entry) => {
      const message = `An identity that signed in before was refused with ${statusOf(entry)}.`;
      return violated(message, 'a success (2xx)', describe(entry.answer), ...(before ? [before] : []), entry);
    });
}

/** Written to the second, without a fraction. */
const isCoarse = (time: unknown): boolean => typeof time === 'string' && !/[.,]\d/.test(time);

/** A user that the first sign-in made may be answered as it was made, and later as it was stored: to the second. */
const isSameCreation = (a: unknown, b: unknown): boolean =>
  sameInstant(a, b) || (isCoarse(a) !== isCoarse(b) && Math.abs(Date.parse(String(a)) - Date.parse(String(b))) < 1000);

const SAME: Record<string, (a: unknown, b: unknown) => boolean> = { id: sameId, created_at: isSameCreation };

/** In which field a sign-in shows another user than those before it: another id or creation, or a name that alternates. */
function changedField(before: readonly Entry[], entry: Entry): string | undefined {
  const users = [...before, entry].map((each): JsonObject => userOf(each) ?? {});
  const [was, user] = [users[0] as JsonObject, users.at(-1) as JsonObject];
  const isHeld = (field: string): boolean => [was, user].every((each) => holdsField('User', field, each[field]));
  const other = Object.keys(SAME).find((field) => isHeld(field) && !SAME[field]?.(was[field], user[field]));
  // An administrator may change these between two sign-ins, and would not change them back.
  const alternates = (field: string): boolean => {
    const values = users.map((each) => JSON.stringify(each[field]));
    return values.filter((value, at) => at > 0 && value !== values[at - 1]).length > 1;
  };
  return other ?? ['email', 'username', 'confirmed'].find((field) => user[field] !== was[field] && alternates(field));
}

/** Whether two identities are of different people: which of the claims a service goes by is not shown. */
const isOther = (a: JsonObject, b: JsonObject): boolean =>
  [a, b].every(({ oid, upn }) => typeof oid === 'string' && typeof upn === 'string' && oid !== '' && upn !== '') &&
  a.oid !== b.oid &&
  String(a.upn).toLowerCase() !== String(b.upn).toLowerCase();

const isSameText = (a: unknown, b: unknown): boolean =>
  typeof a === 'string' && typeof b === 'string' && a.toLowerCase() === b.toLowerCase();

/** The access token that a sign-in hands out. */
function tokenIn(entry: Entry): unknown {
  const grant = jsonIn(entry);
  return isObject(grant) && !isMaskIn(entry, grant.access_token) ? grant.access_token : undefined;
}

const MAX_IDENTITIES = 1_000;

const identitiesDiffer: Rule = {
  id: 'sso-identities-differ',
  requirements: ['SSO-16'],
  title: 'different identities sign in as different users',
  *judge(log) {
    const seen = new Map<string, Entry>();
    for (const entry of of(log, 'sso')) {
      const user = isSignIn(entry) ? userOf(entry) : undefined;
      if (!user || !holdsField('User', 'id', user.id)) continue;
      const others = [...seen.values()].filter((each) => isOther(sentObject(each), sentObject(entry)));
      const same = others.find((each) => sameId(userOf(each)?.id, user.id));
      const shared = others.find((each) => tokenIn(entry) !== undefined && tokenIn(each) === tokenIn(entry));
      // The address is that of the claims: two people are not given the same one.
      const namesake = others.find(
        (each) => isSameText(userOf(each)?.email, user.email) && isSameText(sentObject(each).upn, user.email),
      );
      if (same) {
        const message = 'Two identities, with other oid and upn, signed in as the same user.';
        yield violated(message, `another user id than ${show(user.id)}`, user.id, same, entry);
      } else if (shared) {
        const message = 'Two users were given the same access token.';
        yield violated(message, 'another access token', 'the access token of the other one', shared, entry);
      } else if (namesake) {
        const message = 'Two identities have one e-mail address, the upn of the first one.';
        yield violated(message, 'the address of the second one', user.email, namesake, entry);
      } else if (others[0]) yield shown(others[0], entry);
      // One of each identity is enough.
      if (!seen.has(claimsOf(entry)) && seen.size < MAX_IDENTITIES) seen.set(claimsOf(entry), entry);
    }
  },
};

/** Whether no claim but the directory's is the same: people share that one. */
const sharesNothing = (a: JsonObject, b: JsonObject): boolean =>
  ['oid', 'upn'].every(
    (claim) => (b[claim] ?? '') === '' || String(a[claim]).toLowerCase() !== String(b[claim]).toLowerCase(),
  );

/** What a login answers of its user is that of the SSO login of the same actor, if both show the same e-mail address. */
export const sameByLogin = each('login', (entry, log) => {
  const user = userOf(entry);
  const sent = canonical(sentObject(entry));
  const actor = Object.values(log.actors).find((given) => given?.login && canonical(given.login) === sent);
  const bySso = of(log, 'sso').find((each) => actor?.sso && canonical(actor.sso) === claimsOf(each) && userOf(each));
  const [own, other] = [user, bySso && userOf(bySso)];
  if (!own || !other || !bySso || !isSameText(own.email, other.email)) return [];
  if (![own, other].every(({ id }) => holdsField('User', 'id', id)) || sameId(own.id, other.id))
    return shown(bySso, entry);
  const message = 'The password login answers another user id than the SSO login, with the same e-mail address.';
  return violated(message, other.id, own.id, bySso, entry);
});

/** Claims that identify no known user must not sign one in. */
const strangers: Rule = {
  id: 'sso-strangers',
  requirements: ['SSO-16'],
  title: 'an unknown identity is no other user, with any claims left out',
  judge(log) {
    const known = of(log, 'sso').filter((entry) => isOfActor(log, entry) && userOf(entry));
    const [control] = known;
    if (!control) return [];
    const asked = of(log, 'sso').filter((entry) => entry.asked?.odd.includes('identity'));
    return asked.flatMap((entry): Judged => {
      const user = userOf(entry);
      const token = tokenIn(entry);
      if (!isOk(entry) && isJwt(token)) {
        const message = `An SSO login that was refused with ${statusOf(entry)} hands out an access token.`;
        return violated(message, 'no access_token', token, entry);
      }
      if (!user) return !isOk(entry) && statusOf(entry) < 500 ? shown(control, entry) : [];
      const same = known.find((each) => sameId(userOf(each)?.id, user.id));
      if (same && sharesNothing(sentObject(same), sentObject(entry))) {
        const message = 'An identity that no claim ties to an actor was signed in as that actor.';
        return violated(message, 'another user, or a refusal', user.id, same, entry);
      }
      return isSignIn(entry) && Object.values(sentObject(entry)).some(Boolean) ? shown(control, entry) : [];
    });
  },
};

export const signInRules: readonly Rule[] = [
  withoutAuthorization,
  claimsAccepted,
  identitiesDiffer,
  strangers,
  stableRule('sso-overlapping', 'identities that sign in at the same time are each signed in as themselves', true),
  stableRule('sso-identity-stable', 'the same identity signs in as the same user again', false),
];
