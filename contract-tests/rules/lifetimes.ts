import { type Entry, isOk, isRefused, jsonIn, type Log, statusOf } from '../log/entry.ts';
import { describe } from '../values/answer.ts';
import { isObject } from '../values/json.ts';
import { decodeJwt } from '../values/jwt.ts';
import { type Judged, type Judgement, of, open, type Rule, shown, violated } from './rule.ts';
import { isPast, mayHaveEnded, nameOf, ROUNDING_MS, usesOf, withGood } from './tokens-in-use.ts';

/** For how long tokens are accepted: for their whole life, and not after it (4.1, part 5). */

/** A token that an operation accepted is accepted until its lifetime is over, or something ends it. */
export const lives: Rule = {
  id: 'after-a-pause',
  requirements: ['SSO-08', 'AUT-01', 'AUT-02'],
  title: 'a token that was accepted is accepted for its whole life, however often and however late it is used',
  *judge(log) {
    for (const uses of usesOf(log).values()) {
      const accepted = new Map<string, Entry>();
      for (const [at, entry] of uses.entries()) {
        const place = `${entry.operation} ${entry.resource}`;
        const before = accepted.get(place);
        if (isOk(entry)) {
          if (before) yield shown(before, entry);
          accepted.set(place, entry);
        } else if (statusOf(entry) === 401 && before && !isPast(entry)) {
          const later = uses.slice(at + 1);
          const again = later.find((other) => isOk(other) && other.operation === entry.operation);
          // Refused in between: nothing ended it. In a recording, only that is sure of a token without announced lifetime.
          const hasLifetime = entry.credential.issued?.lifetime !== undefined || entry.credential.kind === 'pat';
          // A token that is new may not be known to every instance yet.
          if (again && isNew(entry, at)) {
            yield open('an access token was refused once right after it was handed out, as where instances lag');
            continue;
          }
          const isDead =
            !mayHaveEnded(log, before, entry) && hasLifetime && (!log.isPartial || entry.credential.kind !== 'pat');
          if (!again && !isDead) continue;
          yield deathOf(before, entry, at + 1, outlived(log, entry) && !hadPatBetween(log, before, entry));
        }
      }
    }
  },
};

/** A token that is handed out again is older by then, so that less of the lifetime that it states is left. */
export const lifetimeLeft: Rule = {
  id: 'sso-lifetime-left',
  requirements: ['SSO-08'],
  title: 'a token that a later sign-in returns again is announced with the rest of its lifetime',
  judge(log) {
    const handedOut = new Map<string, { entry: Entry; lifetime: number }>();
    return of(log, 'sso').flatMap((entry): Judged => {
      const grant = isOk(entry) ? jsonIn(entry) : undefined;
      if (!isObject(grant) || typeof grant.access_token !== 'string' || typeof grant.expires_in !== 'number') return [];
      const { access_token: token, expires_in: lifetime } = grant;
      const before = handedOut.get(token);
      if (!before) handedOut.set(token, { entry, lifetime });
      const { exp, iat } = decodeJwt(token)?.payload ?? {};
      const seconds = before ? (entry.startedAt - before.entry.endedAt) / 1000 : 0;
      // Only where the first answer announced what the JWT states is its end known.
      const isStated = Number(exp) - Number(iat) === before?.lifetime;
      if (!before || !isStated || seconds * 1000 < ROUNDING_MS) return [];
      if (lifetime <= before.lifetime - seconds + 1) return shown(before.entry, entry);
      return violated({
        message: `A sign-in returned the access token that an earlier one had returned ${seconds.toFixed(1)} s before, and announces more than is left of its lifetime.`,
        expected: `at most ${Math.floor(before.lifetime - seconds + 1)} (seconds)`,
        actual: lifetime,
        by: [before.entry, entry],
      });
    });
  },
};

/** How long instances of a deployment may need to hear of a token, in milliseconds. */
const LAG_MS = 3_000;

/** Uses after which every instance was met. */
const MANY_USES = 10;

const isNew = ({ credential, startedAt }: Entry, uses: number): boolean =>
  credential.issued !== undefined && startedAt - credential.issued.at < LAG_MS && uses < MANY_USES;

/** Whether another access token of SSO was accepted at a greater age, and longer after its first use: then time did not end this one. */
function outlived(log: Log, entry: Entry): boolean {
  const uses = usesOf(log);
  const age = ({ endedAt, credential }: Entry): number => endedAt - (credential.issued?.at ?? endedAt);
  const span = ({ endedAt, credential }: Entry): number =>
    endedAt - (uses.get(credential.token ?? '')?.[0]?.endedAt ?? endedAt);
  return withGood(log).some(
    (other) =>
      isOk(other) &&
      other.credential.token !== entry.credential.token &&
      other.credential.issued?.way === entry.credential.issued?.way &&
      age(other) > age(entry) &&
      span(other) > span(entry),
  );
}

/** Whether a PAT of the same user was made in between, which must not end an access token. */
const hadPatBetween = (log: Log, before: Entry, entry: Entry): boolean =>
  of(log, 'pat').some(({ n, credential }) => n > before.n && n < entry.n && credential.who === entry.credential.who);

function deathOf(before: Entry, entry: Entry, use: number, isOutlived: boolean): Judgement {
  const { issued, kind } = entry.credential;
  const age = ((entry.endedAt - (issued?.at ?? before.endedAt)) / 1000).toFixed(1);
  const name = nameOf(entry.operation);
  return violated({
    requirement: kind === 'pat' ? 'AUT-02' : issued?.way === 'sso' && !isOutlived ? 'SSO-08' : 'AUT-01',
    message: `${kind === 'pat' ? 'A personal access token' : 'An access token'} died after ${age} s${issued?.lifetime === undefined ? '' : ` of a promised ${issued.lifetime} s`}: ${name} accepted it before, and refused its use number ${use} with 401.`,
    expected: 'a success (2xx), as before',
    actual: describe(entry.answer),
    by: [before, entry],
  });
}

/** Services allow for clocks that differ: by no more than this. */
const MAX_LEEWAY_MS = 60_000;

const LEEWAY_MS = 1_000;

export const expired: Rule = {
  id: 'auth-expired-jwt',
  requirements: ['AUT-12'],
  title: 'an access token is refused once its lifetime is over, by every operation',
  judge: (log) =>
    [...usesOf(log)].flatMap(([token, uses]): Judgement[] => {
      const isGiven = Object.values(log.actors).some((actor) => actor?.expiredToken === token);
      const overdue = ({ credential: { issued }, startedAt }: Entry): number =>
        isGiven
          ? Number.POSITIVE_INFINITY
          : issued?.lifetime === undefined || issued.lifetime <= 0
            ? -1
            : startedAt - issued.at - issued.lifetime * 1000;
      const late = uses.filter((entry) => overdue(entry) > LEEWAY_MS);
      const refusedAt = late.find((entry) => statusOf(entry) === 401)?.n;
      return late.flatMap((entry): Judged => {
        if (isRefused(entry)) return shown(entry);
        // Once another operation has refused it, clocks that differ explain nothing.
        const isSure = overdue(entry) > MAX_LEEWAY_MS || (refusedAt !== undefined && entry.n > refusedAt);
        if (!isOk(entry) || !isSure)
          return isOk(entry) ? open('the token was still accepted after its end, which may be a leeway') : [];
        const seconds = Math.round(overdue(entry) / 1000);
        return violated({
          message: `${nameOf(entry.operation)} accepts an access token ${isGiven ? 'whose lifetime is over' : `${seconds} s after its lifetime was over`}.`,
          expected: 'a refusal (4xx)',
          actual: describe(entry.answer),
          by: [entry],
        });
      });
    }),
};
