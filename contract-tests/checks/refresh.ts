import { blocked, untested, violation } from '../failure.ts';
import { adminClaim } from '../session/admin-claim.ts';
import { isSpent, received } from '../session/bearer.ts';
import { settled } from '../session/patience.ts';
import { attemptAt, type Exchange, freshExchange, isExchanged, refreshTokenIn } from '../session/refreshing.ts';
import type { Session } from '../session/session.ts';
import { findJwts } from '../session/tokens-in-answers.ts';
import { describe, isSuccess, jsonOf } from '../wire/exchange.ts';
import type { Check } from './check.ts';
import { PROTECTED } from './operations.ts';

const { scopes } = PROTECTED;

/** The refusal of a later sign-in's refresh token counts where the first one's is exchanged in the same way. */
async function failureOf(session: Session, { tried }: Exchange): Promise<Error> {
  const seen = [...new Set(tried.map(({ path, answer }) => `${path} ${describe(answer)}`))].join('; ');
  const { answer: login } = await session.signIn.sso('admin');
  const first = refreshTokenIn(login);
  const refused = tried.filter(
    ({ answer, token }) => [400, 401, 403, 422].includes(answer.response.status) && token !== first,
  );
  for (const attempt of first ? refused : []) {
    const other = await attemptAt(session, attempt, first ?? '');
    if (!isExchanged(other.answer)) continue;
    return violation(
      `The refresh token of a later sign-in was refused with ${attempt.answer.response.status} at ${attempt.path}, and that of the first sign-in is exchanged there.`,
      'a success (2xx)',
      describe(attempt.answer),
    ).seenIn(attempt.answer);
  }
  return untested(
    `where refresh tokens are exchanged is not shown, and no likely path accepted one (${seen}); set answers.refresh-path in a profile`,
  );
}

async function judge(session: Session): Promise<void> {
  const { login, found, tried } = await freshExchange(session);
  if (!tried) throw blocked('sso-every-answer', `A fresh SSO login answered ${describe(login)}`);
  if (!found) throw await failureOf(session, { tried });
  const [token] = findJwts(found.answer);
  if (!token) throw untested(`what ${found.path} answers is not shown, and no JWT was recognised in it`);
  const bearer = received(token, found.path, found.answer);
  const control = await session.scopes.of('admin');
  if (!isSuccess(control)) throw blocked('scopes-answered', `${scopes.name} answered ${describe(control)}`);
  const request = await scopes.request(session, token);
  const answer = await settled(
    () => session.sendAsIs(request),
    (seen) => seen.response.status !== 401,
  );
  if (answer.response.status === 401 && isSpent(bearer))
    throw untested(`the access token that ${found.path} yielded lives too short to be judged`);
  if (answer.response.status === 401) {
    throw violation(
      `The access token that ${found.path} yielded for a refresh token is refused.`,
      'a success (2xx)',
      describe(answer),
    ).seenIn(answer);
  }
  const [said, expected] = [adminClaim(jsonOf(answer)), adminClaim(jsonOf(control))];
  if (!isSuccess(answer) || !said || !expected || said.isAdmin === expected.isAdmin) return;
  throw violation(
    `The access token that ${found.path} yielded for a refresh token of admin is of somebody else.`,
    { [expected.path.join('.')]: expected.value },
    { [said.path.join('.')]: said.value },
  ).seenIn(answer);
}

/** A refresh token is used to obtain a new access token (4.1): judged where the path, which is not shown, is known. */
export const refresh: Check = {
  id: 'sso-refresh',
  requirements: ['SSO-18'],
  title: 'the refresh token of an SSO login yields an access token of the same user that protected operations accept',
  needs: ['actors.admin.sso'],
  async run(session) {
    if (session.config.quick && !('refresh-path' in session.config.answers))
      throw untested('--quick does not look for the path; set answers.refresh-path in a profile');
    await judge(session);
  },
};
