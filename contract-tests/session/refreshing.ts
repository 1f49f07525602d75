import { isExchanged, refreshTokenIn } from '../api/tokens-in-answers.ts';
import { gapOf } from '../spec-data.ts';
import { type Answer, isSuccess } from '../values/answer.ts';
import { memberOf } from '../values/json.ts';
import type { ClientRequest } from '../wire/exchange.ts';
import { candidatePaths } from './gap-answers.ts';
import type { Session } from './session.ts';

type RefreshForm = string | { template: unknown };
type Way = { path: string; form: RefreshForm };
export type Attempt = Way & { token: string; answer: Answer };

function requestIn(form: RefreshForm, token: string): Pick<ClientRequest, 'json' | 'headers'> {
  const shape = typeof form === 'string' ? memberOf(gapOf('refresh-request').shapes, form) : form;
  if (!shape) return { headers: { Authorization: `Bearer ${token}` } };
  return { json: JSON.parse(JSON.stringify(shape.template).replaceAll('${refreshToken}', token)) };
}

/** Sends a refresh token to the likely paths, in the likely forms, until one exchanges it; in one form where a path is absent. */
async function exchange(session: Session, token: string): Promise<Attempt[]> {
  const { answers = {}, examples = [] } = gapOf('refresh-request');
  const tried: Attempt[] = [];
  for (const path of candidatePaths('refresh-path', session.config.answers))
    for (const form of [...Object.keys(answers), ...(examples as RefreshForm[])]) {
      const attempt = await attemptAt(session, { path, form }, token);
      tried.push(attempt);
      if (isExchanged(attempt.answer)) return tried;
      if ([404, 405].includes(attempt.answer.response.status)) break;
    }
  return tried;
}

export const attemptAt = async (session: Session, { path, form }: Way, token: string): Promise<Attempt> => ({
  ...{ path, form, token },
  answer: await session.refresh(path, requestIn(form, token)),
});

/** The sign-in of admin whose refresh token is exchanged; once a run. `given` may serve, since only this exchanges its token. */
export const signInToRefresh = (session: Session, given?: Answer): Promise<Answer> =>
  session.once('refresh sign-in', async () => given ?? session.signIn.again('admin', 'sso'));

/** That sign-in, and what became of its refresh token; once a run. Only a success shows path and form: a refusal may mean anything. */
export function freshExchange(session: Session): Promise<{ login: Answer; found?: Attempt; tried?: Attempt[] }> {
  return session.once('refresh exchange', async () => {
    const login = await signInToRefresh(session);
    // Another actor signs in before the exchange: the refresh token is still that of admin.
    if (session.credentials('member').sso) await session.signIn.again('member', 'sso');
    const token = refreshTokenIn(login);
    if (!isSuccess(login) || !token) return { login };
    const tried = await exchange(session, token);
    return { login, tried, found: tried.find(({ answer }) => isExchanged(answer)) };
  });
}
