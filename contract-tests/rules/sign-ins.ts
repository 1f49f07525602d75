import { OPERATIONS } from '../api/operations.ts';
import {
  type Entry,
  isContentRefused,
  isMaskIn,
  isOk,
  objectIn,
  overlappingIn,
  sentObject,
  statusOf,
} from '../log/entry.ts';
import { areClaimsOf } from '../log/log.ts';
import { describe } from '../values/answer.ts';
import { groupBy } from '../values/group.ts';
import { asText, canonical, isObject, type JsonObject, memberOf, show } from '../values/json.ts';
import { isJwt } from '../values/jwt.ts';
import { hasParameters, isMild, isSignIn } from './documented.ts';
import { holdsField, sameId, sameInstant } from './fields.ts';
import { restlessIn } from './restless.ts';
import { each, isOdd, type Judge, type Judged, of, open, refused, rulesOf, shown, violated } from './rule.ts';

/** What sign-ins say of who signs in (4.1): the claims identify the user. */

function userOf(entry: Entry): JsonObject | undefined {
  const { user } = objectIn(entry);
  return isOk(entry) && isObject(user) ? user : undefined;
}

/** The access token, and the refresh token, that an answer hands out; undefined for what a recording masks. */
function tokensIn(entry: Entry): unknown[] {
  const { access_token, refresh_token } = objectIn(entry);
  return [access_token, refresh_token].map((token) => (isMaskIn(entry, token) ? undefined : token));
}

const claimsOf = (entry: Entry): string => canonical(sentObject(entry));

const withoutAuthorization = each('sso', (entry, log): Judged => {
  const hasHeader = ({ answer }: Entry): boolean => answer.request.headers.Authorization !== undefined;
  if (!isSignIn(entry) || !isOk(entry)) return [];
  if (!hasHeader(entry)) return shown(entry);
  const isRefused = (other: Entry): boolean => !hasHeader(other) && [401, 403].includes(statusOf(other));
  const before = of(log, 'sso').find(
    (other) => other.n < entry.n && isRefused(other) && claimsOf(other) === claimsOf(entry),
  );
  if (!before) return open('every SSO login has an Authorization header');
  const actual = `${describe(before.answer)} without, ${describe(entry.answer)} with the header`;
  const message = 'The SSO login was refused without an Authorization header and succeeded with one.';
  return violated(message, 'success without Authorization', actual, entry, before);
});

const claimsAccepted = each('sso', (entry, log): Judged => {
  const status = statusOf(entry);
  if (!isSignIn(entry) || isOdd(entry) || status === 429) return [];
  if (isOk(entry)) return shown(entry);
  // Whether a service knows an identity, and what it answers where it does not, is not shown.
  const isKnown = areClaimsOf(log.actors, sentObject(entry)) && (isContentRefused(entry) || status === 404);
  // That an identity may sign in once only is another rule's finding.
  if (!isKnown || of(log, 'sso').some((other) => isOk(other) && claimsOf(other) === claimsOf(entry)))
    return open(`an SSO login was answered ${describe(entry.answer)}; the service may not know the identity`);
  return refused(
    `${OPERATIONS.sso.name} did not succeed for an actor of the target file: it answered ${status}.`,
    entry,
  );
});

/** The times of sign-ins of one identity that a difference is looked for in. */
const COMPARED = 8;

/** The same identity is the same user at every login: of those that overlap another one where `atOnce`, else of the others. */
const stable =
  (atOnce: boolean): Judge =>
  (log) => {
    const signIns = of(log, 'sso').filter(isSignIn);
    const overlapping = overlappingIn(signIns.filter(userOf));
    return [...groupBy(signIns, claimsOf).values()].flatMap((all) => {
      const own = all.filter(userOf);
      const same = own.map((entry, at): Judged => {
        const [first, ...others] = own.slice(Math.max(0, at - COMPARED), at);
        // Overlapping ones that are alike show as much.
        if (!first || (atOnce && !overlapping.has(entry))) return [];
        const field = changedField([first, ...others, entry]);
        if (!field) return shown(first, entry);
        if (overlapping.has(entry) !== atOnce) return [];
        const message = `The same identity signed in with another ${field} of the user than before${atOnce ? ', while others signed in' : ''}.`;
        return violated(message, memberOf(userOf(first), field), memberOf(userOf(entry), field), first, entry);
      });
      return [...same, ...(log.isPartial || atOnce ? [] : refusedLater(all))].flat();
    });
  };

function refusedLater(own: readonly Entry[]): Judged[] {
  const before = own.find(isOk);
  // A service may have no time for two at once, and says so with another status.
  const isOfTwo = (entry: Entry): boolean => statusOf(entry) === 401 && entry.asked?.odd.join() === 'overlap';
  return own.map((entry) => {
    const isLater = before && entry.n > before.n && (isMild(entry) || isOfTwo(entry));
    if (!isLater || isOk(entry) || statusOf(entry) === 429) return [];
    if (statusOf(entry) === 415 && hasParameters(entry)) return [];
    const message = `An identity that signed in before was refused with ${statusOf(entry)}.`;
    return violated(message, 'a success (2xx)', describe(entry.answer), before, entry);
  });
}

/** A user that the first sign-in made may be answered as it was made, and later as it was stored: to the second. */
function isSameCreation(a: unknown, b: unknown): boolean {
  const [isCoarse, isOtherCoarse] = [a, b].map((time) => !/[.,]\d/.test(asText(time)));
  const apart = Math.abs(Date.parse(asText(a)) - Date.parse(asText(b)));
  return sameInstant(a, b) || (isCoarse !== isOtherCoarse && apart < 1000);
}

/** In which field the last user is another one than those before: another id or creation, or a name that alternates. */
function changedField(signIns: readonly Entry[]): string | undefined {
  const [was = {}, user = {}] = [signIns[0], signIns.at(-1)].map((each) => each && userOf(each));
  const isHeld = (field: string): boolean =>
    [was, user].every((each) => holdsField('User', field, memberOf(each, field)));
  if (isHeld('id') && !sameId(was.id, user.id)) return 'id';
  if (isHeld('created_at') && !isSameCreation(was.created_at, user.created_at)) return 'created_at';
  return ['email', 'username', 'confirmed'].find((field) => {
    const looks = signIns.map((entry) => ({ entry, value: canonical(memberOf(userOf(entry) ?? {}, field)) }));
    return restlessIn(looks, (a, b) => a === b, true)?.[2] === looks.at(-1);
  });
}

const isSameText = (a: unknown, b: unknown): boolean => asText(a).toLowerCase() === asText(b).toLowerCase();

/** Whether two identities are of different people: which of the claims a service goes by is not shown. */
const isOther = (a: JsonObject, b: JsonObject): boolean =>
  [a.oid, a.upn, b.oid, b.upn].every((claim) => typeof claim === 'string' && claim !== '') &&
  a.oid !== b.oid &&
  !isSameText(a.upn, b.upn);

const MAX_IDENTITIES = 1_000;
const SAME_USER = 'Two identities, with other oid and upn, signed in as the same user.';
const SAME_TOKEN = 'Two users were given the same token.';
const SAME_ADDRESS = 'Two identities have one e-mail address, the upn of the first one.';

const identitiesDiffer: Judge = function* (log) {
  const seen = new Map<string, Entry>();
  for (const entry of of(log, 'sso').filter(isSignIn)) {
    const user = userOf(entry);
    const tokens = tokensIn(entry).filter((token) => typeof token === 'string' && token !== '');
    if (!user || !holdsField('User', 'id', user.id)) continue;
    const others = [...seen.values()].filter((each) => isOther(sentObject(each), sentObject(entry)));
    const same = others.find((each) => sameId(userOf(each)?.id, user.id));
    const shared = others.find((each) => tokensIn(each).some((token) => tokens.includes(token)));
    // The address is that of the claims: two people are not given the same one.
    const namesake = others.find((each) =>
      [userOf(each)?.email, sentObject(each).upn].every((name) => isSameText(name, user.email)),
    );
    if (same) yield violated(SAME_USER, `another user id than ${show(user.id)}`, user.id, same, entry);
    else if (shared) yield violated(SAME_TOKEN, 'other tokens', 'one of the other user', shared, entry);
    else if (namesake) yield violated(SAME_ADDRESS, 'the address of the second one', user.email, namesake, entry);
    else if (others[0]) yield shown(others[0], entry);
    // One of each identity is enough, of each user that it was signed in as.
    const key = `${claimsOf(entry)} ${asText(user.id)}`;
    if (!seen.has(key) && seen.size < MAX_IDENTITIES) seen.set(key, entry);
  }
};

/** What a login answers of its user is that of the SSO login of the same actor, if both show the same e-mail address. */
export const sameByLogin = each('login', (entry, log) => {
  const own = userOf(entry);
  const actor = Object.values(log.actors).find((given) => given?.login && canonical(given.login) === claimsOf(entry));
  const bySso = of(log, 'sso').find((each) => userOf(each) && claimsOf(each) === canonical(actor?.sso));
  const other = bySso && userOf(bySso);
  if (!own || !other || typeof own.email !== 'string' || !isSameText(own.email, other.email)) return [];
  if (![own, other].every(({ id }) => holdsField('User', 'id', id)) || sameId(own.id, other.id))
    return shown(bySso, entry);
  const message = 'The password login answers another user id than the SSO login, with the same e-mail address.';
  return violated(message, other.id, own.id, bySso, entry);
});

/** Claims that identify no known user must not sign one in. */
const strangers = each('sso', (entry, log): Judged => {
  const known = of(log, 'sso').filter((each) => areClaimsOf(log.actors, sentObject(each)) && userOf(each));
  const [control] = known;
  if (!control || !entry.asked?.odd.includes('identity')) return [];
  const [user, [token], claims] = [userOf(entry), tokensIn(entry), sentObject(entry)];
  if (!isOk(entry) && isJwt(token)) {
    const message = `An SSO login that was refused with ${statusOf(entry)} hands out an access token.`;
    return violated(message, 'no access_token', token, entry);
  }
  if (!user) return !isOk(entry) && statusOf(entry) < 500 ? shown(control, entry) : [];
  const same = known.find((each) => sameId(userOf(each)?.id, user.id));
  // People share the directory: of the other claims, none ties them to the actor.
  const isTied =
    same &&
    ['oid', 'upn'].some(
      (claim) => memberOf(claims, claim) && isSameText(memberOf(sentObject(same), claim), memberOf(claims, claim)),
    );
  if (same && !isTied) {
    const message = 'An identity that no claim ties to an actor was signed in as that actor.';
    return violated(message, 'another user, or a refusal', user.id, same, entry);
  }
  return isSignIn(entry) && Object.values(claims).some(Boolean) ? shown(control, entry) : [];
});

export const signInRules = rulesOf('sso', [
  {
    id: 'sso-without-authorization',
    requirements: ['SSO-01'],
    title: 'the SSO login is called without an Authorization header',
    judge: withoutAuthorization,
  },
  {
    id: 'sso-claims-accepted',
    requirements: ['SSO-02', 'GEN-02'],
    title: 'the SSO login accepts a JSON body with the claims oid, tid and upn',
    judge: claimsAccepted,
  },
  {
    id: 'sso-identities-differ',
    requirements: ['SSO-16'],
    title: 'different identities sign in as different users',
    needs: ['actors.admin.sso', 'actors.member.sso'],
    judge: identitiesDiffer,
  },
  {
    id: 'sso-strangers',
    requirements: ['SSO-16'],
    title: 'an unknown identity is no other user, with any claims left out',
    isOptional: true,
    makesUsers: true,
    judge: strangers,
  },
  {
    id: 'sso-overlapping',
    requirements: ['SSO-17'],
    title: 'identities that sign in at the same time are each signed in as themselves',
    isOptional: true,
    phases: ['others', 'overlaps', 'strangers'],
    judge: stable(true),
  },
  {
    id: 'sso-identity-stable',
    requirements: ['SSO-17'],
    title: 'the same identity signs in as the same user again',
    phases: ['others', 'strangers', 'late'],
    judge: stable(false),
  },
]);
