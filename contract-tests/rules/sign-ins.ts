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
import { isObject, type JsonObject, show } from '../values/json.ts';
import { isDocumented, isSignIn } from './documented.ts';
import { holdsField } from './field-rules.ts';
import { sameId, sameInstant } from './formats.ts';
import { answerOf, type Judged, type Judgement, of, open, type Rule, refused, shown, violated } from './rule.ts';

/** What sign-ins say of who signs in (4.1): the claims identify the user. */

const NAME = OPERATIONS.sso.name;

/** The user that a sign-in answered. */
function userOf(entry: Entry): JsonObject | undefined {
  const grant = jsonIn(entry);
  return isOk(entry) && isObject(grant) && isObject(grant.user) ? grant.user : undefined;
}

const isOfActor = ({ actors }: Log, entry: Entry): boolean =>
  Object.values(actors).some((actor) => actor?.sso && canonical(actor.sso) === canonical(sentObject(entry)));

const withoutAuthorization: Rule = {
  id: 'sso-without-authorization',
  requirements: ['SSO-01'],
  title: 'the SSO login is called without an Authorization header',
  *judge(log) {
    const signIns = of(log, 'sso').filter(isSignIn);
    const refused = new Map<string, Entry>();
    for (const entry of signIns) {
      const claims = canonical(sentObject(entry));
      const hasHeader = entry.answer.request.headers.Authorization !== undefined;
      if (!hasHeader && isOk(entry)) yield shown(entry);
      else if (!hasHeader && [401, 403].includes(statusOf(entry))) refused.set(claims, entry);
      else if (hasHeader && isOk(entry)) {
        const before = refused.get(claims);
        if (before)
          yield violated({
            message: 'The SSO login was refused without an Authorization header and succeeded with one.',
            expected: 'success without Authorization',
            actual: `${describe(before.answer)} without, ${describe(entry.answer)} with the header`,
            by: [entry, before],
          });
        else yield open('every SSO login has an Authorization header');
      }
    }
  },
};

const claimsAccepted: Rule = {
  id: 'sso-claims-accepted',
  requirements: ['SSO-02', 'GEN-02'],
  title: 'the SSO login accepts a JSON body with the claims oid, tid and upn',
  judge: (log) =>
    of(log, 'sso')
      .filter(isSignIn)
      .flatMap((entry): Judged => {
        if (isOk(entry)) return entry.asked?.odd.length ? [] : shown(entry);
        const status = statusOf(entry);
        if (status === 429 || (entry.asked && entry.asked.odd.length > 0)) return [];
        // Whether a service knows an identity, and what it answers where it does not, is not shown.
        const isKnown = isOfActor(log, entry) && (isContentRefused(entry) || status === 404);
        const signedInBefore = of(log, 'sso').some(
          (other) => isOk(other) && other.answer.request.body === entry.answer.request.body,
        );
        // That an identity may sign in once only is another rule's finding.
        if (!isKnown || signedInBefore)
          return open(`an SSO login was answered ${describe(entry.answer)}; the service may not know the identity`);
        const message = `${NAME} did not succeed for an actor of the target file: it answered ${status}.`;
        return refused(message, [entry], answerOf(entry));
      }),
};

/** Written to the second, without a fraction. */
const TO_THE_SECOND = /T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d(:?\d\d)?)?$/i;

/** A user that the first sign-in made may be answered as it was made, and later as it was stored: to the second. */
function isSameCreation(a: unknown, b: unknown): boolean {
  if (sameInstant(a, b)) return true;
  const [one, other] = [String(a), String(b)];
  if (TO_THE_SECOND.test(one) === TO_THE_SECOND.test(other)) return false;
  return Math.abs(Date.parse(one) - Date.parse(other)) < 1000;
}

const SAME: Record<string, (a: unknown, b: unknown) => boolean> = { id: sameId, created_at: isSameCreation };

/** The same identity is the same user at every login: apart from logins under way at the same time where `atOnce` is false. */
function stableRule(id: string, title: string, atOnce: boolean): Rule {
  return {
    id,
    requirements: ['SSO-17'],
    title,
    *judge(log) {
      const all = of(log, 'sso').filter(isSignIn);
      const signIns = all.filter((entry) => userOf(entry));
      const overlapping = overlappingIn(signIns);
      const seen = new Map<string, Entry[]>();
      for (const entry of signIns) {
        const identity = canonical(sentObject(entry));
        const before = seen.get(identity) ?? [];
        seen.set(identity, [...before.slice(-8), entry]);
        const [first] = before;
        if (!first || overlapping.has(entry) !== atOnce) continue;
        const changed = changeOf(before, entry);
        yield changed
          ? violated({
              message: `The same identity signed in with another ${changed.field} of the user than before${atOnce ? ', while others signed in' : ''}.`,
              expected: { [changed.field]: changed.before },
              actual: { [changed.field]: changed.now },
              by: [first, entry],
            })
          : shown(first, entry);
      }
      if (!log.isPartial && !atOnce) yield* refusedLater(all);
    },
  };
}

/** Identities that signed in, and are refused at a later login. */
const refusedLater = (all: readonly Entry[]): Judgement[] =>
  all.flatMap((entry): Judged => {
    const before = all.find(
      (other) => isOk(other) && other.n < entry.n && other.answer.request.body === entry.answer.request.body,
    );
    if (!before || isOk(entry) || statusOf(entry) === 429 || entry.asked?.odd.length !== 0) return [];
    return violated({
      message: `An identity that signed in before was refused with ${statusOf(entry)}.`,
      expected: 'a success (2xx), as before',
      actual: describe(entry.answer),
      by: [before, entry],
    });
  });

/** How a sign-in shows another user than those before it: another id or creation, or a name that alternates. */
function changeOf(
  before: readonly Entry[],
  entry: Entry,
): { field: string; before: unknown; now: unknown } | undefined {
  const [first] = before;
  const [was, user] = [first && userOf(first), userOf(entry)];
  if (!was || !user) return undefined;
  for (const [field, same] of Object.entries(SAME))
    if (
      holdsField('User', field, was[field]) &&
      holdsField('User', field, user[field]) &&
      !same(was[field], user[field])
    )
      return { field, before: was[field], now: user[field] };
  // An administrator may change these between two sign-ins, and would not change them back.
  for (const field of ['email', 'username', 'confirmed']) {
    const values = [...before, entry].map((each) => JSON.stringify(userOf(each)?.[field]));
    const changes = values.filter((value, at) => at > 0 && value !== values[at - 1]).length;
    if (changes > 1 && user[field] !== was[field]) return { field, before: was[field], now: user[field] };
  }
  return undefined;
}

const identitiesDiffer: Rule = {
  id: 'sso-identities-differ',
  requirements: ['SSO-16'],
  title: 'different identities sign in as different users',
  *judge(log) {
    const seen: { entry: Entry; id: unknown; claims: JsonObject; token: unknown }[] = [];
    for (const entry of of(log, 'sso')) {
      const user = isSignIn(entry) ? userOf(entry) : undefined;
      if (!user || typeof user.id !== 'string' || user.id === '') continue;
      const claims = sentObject(entry);
      const others = seen.filter((each) => isOther(each.claims, claims));
      const same = others.find((each) => sameId(each.id, user.id));
      if (same)
        yield violated({
          message: 'Two identities, with other oid and upn, signed in as the same user.',
          expected: `another user id than ${show(same.id)}`,
          actual: user.id,
          by: [same.entry, entry],
        });
      else if (others[0]) yield shown(others[0].entry, entry);
      const token = sentToken(entry);
      const shared = others.find((each) => token !== undefined && each.token === token);
      if (shared && !same)
        yield violated({
          message: 'Two users were given the same access token.',
          expected: 'an access token of their own',
          actual: 'the access token of the other one',
          by: [shared.entry, entry],
        });
      // One of each identity is enough.
      if (!seen.some((each) => canonical(each.claims) === canonical(claims)) && seen.length < 1000)
        seen.push({ entry, id: user.id, claims, token });
    }
  },
};

/** The access token that a sign-in hands out. */
function sentToken(entry: Entry): unknown {
  const grant = jsonIn(entry);
  return isObject(grant) && !isMaskIn(entry, grant.access_token) ? grant.access_token : undefined;
}

/** Whether two identities are of different people: which of the claims a service goes by is not shown. */
const isOther = (a: JsonObject, b: JsonObject): boolean =>
  [a, b].every(({ oid, upn }) => typeof oid === 'string' && typeof upn === 'string' && oid !== '' && upn !== '') &&
  a.oid !== b.oid &&
  String(a.upn).toLowerCase() !== String(b.upn).toLowerCase();

/** Claims that identify no known user must not sign one in. */
const noClaims: Rule = {
  id: 'sso-strangers',
  requirements: ['SSO-16'],
  title: 'an unknown identity is no other user, with any claims left out',
  judge(log) {
    const known = of(log, 'sso').filter((entry) => isOfActor(log, entry) && userOf(entry));
    const strangers = of(log, 'sso').filter((entry) => entry.asked?.odd.includes('identity'));
    return strangers.flatMap((entry): Judged => {
      const user = userOf(entry);
      if (!user) return known[0] && !isOk(entry) && statusOf(entry) < 500 ? shown(known[0], entry) : [];
      const claims = sentObject(entry);
      const named = Object.values(claims).filter((value) => typeof value === 'string' && value !== '');
      const same = known.find((each) => sameId(userOf(each)?.id, user.id));
      if (same && sharesNothing(sentObject(same), claims))
        return violated({
          message: 'An identity that no claim ties to an actor was signed in as that actor.',
          expected: 'another user, or a refusal',
          actual: user.id,
          by: [same, entry],
        });
      if (named.length > 0 && isDocumented(entry) && known[0]) return shown(known[0], entry);
      return [];
    });
  },
};

/** Whether no claim but the directory's is the same: people share that one. */
const sharesNothing = (a: JsonObject, b: JsonObject): boolean =>
  ['oid', 'upn'].every(
    (claim) =>
      b[claim] === undefined || b[claim] === '' || String(a[claim]).toLowerCase() !== String(b[claim]).toLowerCase(),
  );

export const signInRules: readonly Rule[] = [
  withoutAuthorization,
  claimsAccepted,
  identitiesDiffer,
  noClaims,
  stableRule('sso-overlapping', 'identities that sign in at the same time are each signed in as themselves', true),
  stableRule('sso-identity-stable', 'the same identity signs in as the same user again', false),
];
