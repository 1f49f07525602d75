import { OPERATIONS, type OperationId } from '../api/operations.ts';
import { type Entry, isOk, isProtected, isRefused, jsonIn, type Log, sentOf, statusOf } from '../log/entry.ts';
import { canonical } from '../log/log.ts';
import { describe } from '../values/answer.ts';
import { groupBy } from '../values/group.ts';
import { isObject } from '../values/json.ts';
import { decodeJwt } from '../values/jwt.ts';
import { once } from '../values/once.ts';
import { isOdd, type Judged, type Judgement, of, open, type Rule, rulesOf, shown, violated } from './rule.ts';

/** Good tokens: where each was used, what may have ended it, and for how long it is accepted (4.1, part 5). */

export const nameOf = (operation: OperationId | undefined): string => (operation ? OPERATIONS[operation].name : '');

export const isGood = ({ credential }: Entry): boolean =>
  credential.flaw === undefined && ['jwt', 'pat', 'opaque'].includes(credential.kind) && credential.token !== undefined;

/** Every use of each good token at a protected operation, in order. */
export const usesOf = once((log: Log) =>
  groupBy(
    log.entries.filter((entry) => isProtected(entry.operation) && isGood(entry)),
    ({ credential }) => credential.token ?? '',
  ),
);

/** Whose a sign-in is: as the tokens that it hands out say. */
function signsIn(log: Log, entry: Entry): string | undefined {
  const claims = canonical(sentOf(entry));
  const isOf = (given: unknown): boolean => given !== undefined && canonical(given) === claims;
  const [actor] = Object.entries(log.actors).find(([, each]) => isOf(each?.sso) || isOf(each?.login)) ?? [];
  return actor ?? entry.answer.request.body;
}

/** Whether an exchange may end a token or hide it, so that a refusal after it shows nothing. */
function mayEnd(log: Log, entry: Entry, { kind, who }: Entry['credential']): boolean {
  const { operation, credential, answer } = entry;
  // Bad credentials may lock a caller out.
  if (isProtected(operation)) return credential.flaw !== undefined;
  // Odd claims, such as a name in capitals, may be anybody's where they are accepted.
  if (operation === 'sso' || operation === 'login')
    return kind !== 'pat' && ((isOdd(entry) && isOk(entry)) || signsIn(log, entry) === who);
  if (operation === 'pat') return kind === 'pat' && credential.who === who;
  // Such as the exchange of a refresh token, whose it may be.
  return !['GET', 'HEAD', 'OPTIONS'].includes(answer.request.method);
}

/** Whether anything after a place of the log may have ended the token of an exchange, or locked it out. */
export const mayHaveEnded = (log: Log, since: number, at: Entry): boolean =>
  log.entries.some((entry) => entry.n > since && entry.n < at.n && mayEnd(log, entry, at.credential));

/** Whether something after its issue may have ended a token before it was first used. */
export const endedByOthers = (log: Log, use: Entry): boolean =>
  use.credential.issued !== undefined && mayHaveEnded(log, use.credential.issued.n, use);

/** Lifetimes are whole seconds, and the time of an entry is that of its answer. */
export const ROUNDING_MS = 1_500;

/**
 * Whether the announced lifetime of the token was over. One whose lifetime nothing announces has the shortest that the log
 * announces of others.
 */
export function isPast({ credential: { issued, kind }, endedAt }: Entry, log?: Log): boolean {
  if (!issued || kind === 'pat') return false;
  const others = log?.entries.flatMap(({ credential }) => credential.issued?.lifetime ?? []) ?? [];
  return endedAt - issued.at > (issued.lifetime ?? Math.min(...others)) * 1000 - ROUNDING_MS;
}

/** A token that an operation accepted is accepted until its lifetime is over, or something ends it. */
function* lives(log: Log): Generator<Judgement> {
  for (const uses of usesOf(log).values()) {
    const accepted = new Map<string, Entry>();
    for (const [at, entry] of uses.entries()) {
      const place = `${entry.operation} ${entry.resource}`;
      const before = accepted.get(place);
      if (isOk(entry)) {
        if (before) yield shown(before, entry);
        accepted.set(place, entry);
      } else if (statusOf(entry) === 401 && before && !isPast(entry)) yield* judgeDeath(log, uses, at, before);
    }
  }
}

/** How long instances of a deployment may need to hear of a token, in milliseconds, unless every instance was met by so many uses. */
const LAG = { ms: 3_000, uses: 10 };

function judgeDeath(log: Log, uses: readonly Entry[], at: number, before: Entry): Judgement[] {
  const entry = uses[at] as Entry;
  const { issued, kind } = entry.credential;
  // Refused in between: nothing ended it. In a recording, only that is sure of a token without announced lifetime.
  const again = uses.some((other, place) => place > at && isOk(other) && other.operation === entry.operation);
  if (again && issued && entry.startedAt - issued.at < LAG.ms && at < LAG.uses)
    return [open('an access token was refused once right after it was handed out, as where instances lag')];
  // Its last use says that it lived, at whichever operation.
  const since = uses.slice(0, at).findLast(isOk)?.n ?? before.n;
  const isSure = kind === 'pat' ? !log.isPartial : issued?.lifetime !== undefined;
  if (!again && (!isSure || mayHaveEnded(log, since, entry))) return [];
  const age = ((entry.endedAt - (issued?.at ?? before.endedAt)) / 1000).toFixed(1);
  const promised = issued?.lifetime === undefined ? '' : ` of a promised ${issued.lifetime} s`;
  const what = kind === 'pat' ? 'A personal access token' : 'An access token';
  const message = `${what} died after ${age} s${promised}: ${nameOf(entry.operation)} accepted it before, and refused its use number ${at + 1} with 401.`;
  const finding = violated(message, 'a success (2xx), as before', describe(entry.answer), before, entry);
  const requirements = kind === 'pat' ? ['AUT-02'] : issued?.way === 'sso' ? ['SSO-08', 'AUT-01'] : ['AUT-01'];
  return requirements.map((requirement) => ({ ...finding, requirement }));
}

/** A token that is handed out again is older by then, so that less of the lifetime that it states is left. */
function lifetimeLeft(log: Log): Judgement[] {
  const grants = of(log, 'sso').flatMap((entry) => {
    const grant = isOk(entry) ? jsonIn(entry) : undefined;
    if (!isObject(grant) || typeof grant.access_token !== 'string' || typeof grant.expires_in !== 'number') return [];
    return [{ entry, token: grant.access_token, lifetime: grant.expires_in }];
  });
  return [...groupBy(grants, ({ token }) => token)].flatMap(([token, [first, ...later]]) => {
    const { exp, iat } = decodeJwt(token)?.payload ?? {};
    // Only where the first answer announced what the JWT states is its end known.
    if (!first || Number(exp) - Number(iat) !== first.lifetime) return [];
    return later.flatMap(({ entry, lifetime }): Judged => {
      const seconds = (entry.startedAt - first.entry.endedAt) / 1000;
      if (seconds * 1000 < ROUNDING_MS) return [];
      const most = first.lifetime - seconds + 1;
      if (lifetime <= most) return shown(first.entry, entry);
      const message = `A sign-in returned the access token that an earlier one had returned ${seconds.toFixed(1)} s before, and announces more than is left of its lifetime.`;
      return violated(message, `at most ${Math.floor(most)} (seconds)`, lifetime, first.entry, entry);
    });
  });
}

/** How far clocks may differ; more than a service allows for, and less than any does. */
const LEEWAY_MS = { most: 60_000, least: 1_000 };

const expired: Rule['judge'] = (log) =>
  [...usesOf(log)].flatMap(([token, uses]) => {
    const isGiven = Object.values(log.actors).some((actor) => actor?.expiredToken === token);
    const overdue = ({ credential: { issued }, startedAt }: Entry): number => {
      if (isGiven) return Number.POSITIVE_INFINITY;
      const { at, lifetime = 0 } = issued ?? { at: 0 };
      return lifetime > 0 ? startedAt - at - lifetime * 1000 : 0;
    };
    const late = uses.filter((entry) => overdue(entry) > LEEWAY_MS.least);
    const refusal = late.find((entry) => statusOf(entry) === 401);
    return late.flatMap((entry): Judged => {
      if (isRefused(entry)) return shown(entry);
      if (!isOk(entry)) return [];
      // Once another operation has refused it, clocks that differ explain nothing.
      const isSure = overdue(entry) > LEEWAY_MS.most || (refusal !== undefined && entry.n > refusal.n);
      if (!isSure) return open('the token was still accepted after its end, which may be a leeway');
      const since = isGiven ? 'whose' : `${Math.round(overdue(entry) / 1000)} s after its`;
      const message = `${nameOf(entry.operation)} accepts an access token ${since} lifetime ${isGiven ? 'is' : 'was'} over.`;
      return violated(message, 'a refusal (4xx)', describe(entry.answer), entry);
    });
  });

export const lifetimeRules: readonly Rule[] = [
  ...rulesOf(undefined, {
    'after-a-pause SSO-08 AUT-01 AUT-02: a token that was accepted is accepted for its whole life, however often and however late it is used':
      lives,
    'auth-expired-jwt AUT-12: an access token is refused once its lifetime is over, by every operation': expired,
  }),
  ...rulesOf('sso', {
    'sso-lifetime-left SSO-08: a token that a later sign-in returns again is announced with the rest of its lifetime':
      lifetimeLeft,
  }),
];

/** Whether an operation accepted a token, refused it, and accepted it again. */
export const isRefusedBetween = (log: Log): boolean =>
  [...usesOf(log).values()].some((uses) => {
    const isAccepted = (entry: Entry, isThen: (n: number) => boolean): boolean =>
      uses.some((other) => isOk(other) && other.operation === entry.operation && isThen(other.n));
    return uses.some(
      (entry) =>
        statusOf(entry) === 401 && isAccepted(entry, (n) => n < entry.n) && isAccepted(entry, (n) => n > entry.n),
    );
  });
