import { OPERATIONS } from '../api/operations.ts';
import { findJwts, isExchanged, refreshTokenIn } from '../api/tokens-in-answers.ts';
import { type Entry, isContentRefused, isMaskIn, isOk, jsonIn, type Log, statusOf } from '../log/entry.ts';
import { canonical } from '../log/log.ts';
import { describe } from '../values/answer.ts';
import { findStrings, isObject } from '../values/json.ts';
import { extended, type Judged, notSucceeded, of, open, type Rule, refused, shown, violated } from './rule.ts';
import { endedByOthers, isPast, nameOf, ROUNDING_MS, usesOf } from './tokens-in-use.ts';

/** What sign-ins, refreshes and the making of PATs hand out is accepted (4.1, part 5). */

/** What a way of signing in hands out is accepted by some protected operation. */
export function worksRule(
  id: string,
  requirements: string[],
  title: string,
  isOf: (entry: Entry) => boolean,
  what: string,
): Rule {
  return {
    id,
    requirements,
    title,
    judge: (log) =>
      [...usesOf(log).values()].flatMap((uses): Judged => {
        const own = uses.filter(isOf);
        const accepted = own.find(isOk);
        if (accepted) return shown(accepted);
        // A 403 decides nothing: who may do what is not documented.
        const unauthorized = own.filter((entry) => statusOf(entry) === 401 && !isPast(entry));
        const [first] = unauthorized;
        const wasNew = first && !endedByOthers(log, first);
        if (!first || !wasNew || own.some((entry) => ![401, 403, 404].includes(statusOf(entry)))) return [];
        return violated({
          message: `${what} is accepted by no protected operation.`,
          expected: `a success (2xx) at one of ${[...new Set(unauthorized.map(({ operation }) => nameOf(operation)))].join(', ')}`,
          actual: unauthorized.map((entry) => `${nameOf(entry.operation)}: ${describe(entry.answer)}`).slice(0, 4),
          by: [first],
        });
      }),
  };
}

export const isFrom =
  (way: string) =>
  ({ credential }: Entry): boolean =>
    credential.issued?.way === way && (way !== 'sso' || credential.kind !== 'pat');

export const login: Rule = extended(
  worksRule(
    'login-jwt',
    ['AUT-08'],
    `${OPERATIONS.login.name} yields a JWT that protected operations accept`,
    (entry) => isFrom('login')(entry) && entry.credential.kind === 'jwt',
    `The JWT of ${OPERATIONS.login.name}`,
  ),
  (log) =>
    of(log, 'login').flatMap((entry): Judged => {
      if (!isOk(entry)) {
        if (log.isPartial || !entry.asked || entry.asked.odd.length > 0) return [];
        if (isContentRefused(entry) && statusOf(entry) < 500)
          return open(
            `${OPERATIONS.login.name} refused the body with ${statusOf(entry)}. Its body is not documented: check that actors.admin.login has the fields that the target takes.`,
          );
        if (statusOf(entry) < 500 && ![404, 501].includes(statusOf(entry))) return [];
        return notSucceeded(OPERATIONS.login.name, entry);
      }
      if (!entry.hasBody || findJwts(entry.answer).length > 0) return [];
      if (findStrings(jsonIn(entry)).some(({ value }) => isMaskIn(entry, value)))
        return open('what the login handed out was masked in the recording');
      const isCalledToken = findStrings(jsonIn(entry)).some(
        ({ path }) => path.length === 0 || /token|jwt|bearer/i.test(path.join('.')),
      );
      // It may be handed out in a cookie of another form, or in a second step: the response is not shown.
      if (isObject(jsonIn(entry)) && !isCalledToken)
        return open(
          `${OPERATIONS.login.name} succeeded, and nothing in its answer is called a token; what it answers is not shown`,
        );
      return violated({
        message: `${OPERATIONS.login.name} succeeded without yielding a JWT.`,
        expected: 'a JWT access token',
        actual: entry.answer.response.body,
        by: [entry],
      });
    }),
);

export const patCreated: Rule = extended(
  worksRule(
    'pat-created',
    ['AUT-09'],
    `${OPERATIONS.pat.name} yields a PAT that protected operations accept`,
    isFrom('pat'),
    'The PAT created',
  ),
  (log) =>
    of(log, 'pat').flatMap((entry): Judged => {
      if (isOk(entry)) return [];
      const isMissing = [404, 405, 501].includes(statusOf(entry));
      // It is sent once, since nothing removes what it makes: a gateway's answer may have passed.
      const isFailure = statusOf(entry) >= 500 && ![502, 503, 504].includes(statusOf(entry));
      if (log.isPartial || entry.credential.kind !== 'jwt' || !(isMissing || isFailure))
        return open(
          `${OPERATIONS.pat.name}, whose body is not documented, was answered ${describe(entry.answer)}; set actors.admin.pat`,
        );
      return notSucceeded(OPERATIONS.pat.name, entry);
    }),
);

/** The PATs after the first one of the run. */
export const laterPats = worksRule(
  'pat-later-ones',
  ['AUT-09'],
  'later PATs are accepted like the first one',
  (entry) => isFrom('pat')(entry) && entry.credential.who !== 'admin',
  'A later PAT',
);

/** The sign-in that handed out the refresh token of an exchange. */
const signInOf = (log: Log, { refresh }: Entry): Entry | undefined =>
  of(log, 'sso').find((entry) => refreshTokenIn(entry.answer) === refresh?.token);

/** The exchange of a refresh token, where all its JWTs are those of the sign-in. */
function sameToken(signIn: Entry, entry: Entry): Judged {
  const [known, given] = [findJwts(signIn.answer), findJwts(entry.answer)];
  const isNew = given.length === 0 || given.some((token) => !known.includes(token));
  const after = entry.startedAt - signIn.endedAt;
  // Within a second, a new one may be the same.
  if (isNew || after < ROUNDING_MS) return [];
  return violated({
    message: `The refresh token was exchanged for the access token of the sign-in ${(after / 1000).toFixed(1)} s before.`,
    expected: 'a new access token',
    actual: 'the same access token',
    by: [signIn, entry],
  });
}

export const refreshWorks: Rule = extended(
  worksRule(
    'sso-refresh',
    ['SSO-18'],
    'the refresh token of an SSO login yields an access token of the same user that protected operations accept',
    (entry) => isFrom('elsewhere')(entry) && entry.credential.kind === 'jwt' && entry.credential.who !== undefined,
    'The access token that a refresh token yielded',
  ),
  (log) =>
    log.entries.flatMap((entry): Judged => {
      if (!entry.refresh || entry.refresh.exchanged) return [];
      const own = signInOf(log, entry);
      if (isExchanged(entry.answer)) return own ? sameToken(own, entry) : [];
      if (![400, 401, 403, 422].includes(statusOf(entry))) return [];
      // The path and the form are right where an older refresh token of the same user is exchanged in the same way afterwards.
      const older = log.entries.find((other) => {
        const theirs = other.refresh && isExchanged(other.answer) ? signInOf(log, other) : undefined;
        return (
          own !== undefined &&
          theirs !== undefined &&
          other.n > entry.n &&
          theirs.n < own.n &&
          theirs.answer.request.body === own.answer.request.body &&
          other.path === entry.path &&
          canonical(other.refresh?.template) === canonical(entry.refresh?.template)
        );
      });
      if (!older) return [];
      const status = statusOf(entry);
      return refused(
        `The refresh token of a later sign-in was refused with ${status}, and that of an earlier one is exchanged in the same way.`,
        [older, entry],
      );
    }),
);
