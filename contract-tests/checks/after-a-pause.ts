import { blocked, CheckFailure, violation } from '../failure.ts';
import { adminClaim } from '../session/admin-claim.ts';
import { apiKeysPath, SSO_PATH } from '../session/operations.ts';
import type { Session } from '../session/session.ts';
import { isPatForm } from '../session/token-forms.ts';
import { type Answer, type ClientRequest, describe, isSuccess, jsonOf } from '../wire/exchange.ts';
import { isObject } from '../wire/json.ts';
import { sleep } from '../wire/time.ts';
import type { Check } from './check.ts';
import { assertNone } from './findings.ts';
import { look } from './looks.ts';
import { settled } from './patience.ts';
import { found } from './recording-updates.ts';
import { tokenFindings } from './token-lives.ts';

/** How long nothing is sent: what reverts, expires or is cleaned up shortly after shows then. */
export const PAUSE_SECONDS = 2;
const TITLE = 'Still there after a pause';

/** A request that only reads, and that this token may send. */
async function reading(session: Session): Promise<Omit<ClientRequest, 'headers'>> {
  const { tenantId } = session.target.resources ?? {};
  if (isSuccess(await scopesOf(session))) return { method: 'GET', path: await session.scopes.path() };
  if (tenantId === undefined) throw blocked('scopes-answered', 'Nothing can be read with a token');
  return { method: 'GET', path: apiKeysPath(tenantId) };
}

/** What the scopes answer to admin; a refusal where they are not found. */
async function scopesOf(session: Session): Promise<Pick<Answer, 'response'>> {
  try {
    return await session.scopes.of('admin');
  } catch (error) {
    if (!(error instanceof CheckFailure)) throw error;
    return { response: { status: 404, headers: {}, body: '' } };
  }
}

interface TokenInUse {
  what: string;
  token: string;
  /** Whether it was only just handed out: not every instance may know it yet. */
  isFresh?: true;
}

/** The last SSO login of admin, where it is not the first one, whose token the run works with. */
async function lastLogin(session: Session): Promise<Answer> {
  const body = JSON.stringify(session.credentials('admin').sso);
  const { answer: first } = await session.signIn.sso('admin');
  const last = session.successes.findLast(
    ({ request }) => request.url.endsWith(SSO_PATH) && request.body === body && request !== first.request,
  );
  return last ?? session.signIn.noteSso('admin', await session.send(session.signIn.ssoRequest('admin')));
}

/** What the run has of this request with a token, since anything was sent that may have ended the token. */
function answered(session: Session, path: string, token: string): Answer | undefined {
  const from = session.traffic.findLastIndex(({ answer }) => answer.request.method === 'POST');
  const { pathname } = new URL(session.target.baseUrl);
  return session.traffic
    .slice(from + 1)
    .map(({ answer }) => answer)
    .findLast(
      (answer) =>
        isSuccess(answer) &&
        answer.request.method === 'GET' &&
        new URL(answer.request.url).pathname === `${pathname.replace(/\/$/, '')}${path}` &&
        answer.request.headers.Authorization === `Bearer ${token}`,
    );
}

/** The tokens to use before the pause and after it: that of the last sign-in, the one that the run works with, and a PAT. */
async function tokensInUse(session: Session): Promise<TokenInUse[]> {
  const found: TokenInUse[] = [];
  if (session.credentials('admin').sso) {
    const grant = jsonOf(await lastLogin(session));
    if (isObject(grant) && typeof grant.access_token === 'string')
      found.push({ what: 'the last access token', token: grant.access_token, isFresh: true });
  }
  const { token } = await session.signIn.bearer('admin');
  if (!found.some((each) => each.token === token)) found.push({ what: 'the access token in use', token });
  const pat = await session.pats.made('admin').catch(() => undefined);
  if (session.config.allowWrites && pat) found.push({ what: 'the PAT that was made', token: pat });
  return found;
}

/** Whether a title can be written, so that it can be looked for afterwards. */
async function writesTitle(session: Session): Promise<boolean> {
  if (!session.config.allowWrites || session.target.resources?.recordingId === undefined) return false;
  await found(session);
  return isSuccess(await session.recording.update({ title: TITLE }));
}

async function assertTitleStays(session: Session): Promise<void> {
  const titleIn = (answer: Answer): unknown => {
    const record = jsonOf(answer);
    return isSuccess(answer) && isObject(record) ? record.title : undefined;
  };
  const answer = await settled(
    () => look(session),
    (seen) => titleIn(seen) === TITLE,
  );
  if (!isSuccess(answer)) throw blocked('recording-update-summary', `An update answered ${describe(answer)}`);
  if (titleIn(answer) === TITLE) return;
  throw violation(`A title was gone ${PAUSE_SECONDS} s after it was written.`, TITLE, titleIn(answer))
    .of('REC-23')
    .seenIn(answer);
}

/** What holds now must hold in a while: a lifetime is announced (4.1), and nothing but an update changes a title. */
export const afterAPause: Check = {
  id: 'after-a-pause',
  requirements: ['SSO-08'],
  isThorough: true,
  title: `tokens, titles and what is said of administrators are the same after ${PAUSE_SECONDS} s without a request`,
  needs: ['actors.admin'],
  isOfTheRun: true,
  mayWrite: ['PATCH of the disposable recording: title (put back afterwards), summary, before and after a pause'],
  async run(session) {
    const request = await reading(session);
    const tokens = await tokensInUse(session);
    const isWritten = await writesTitle(session);
    const ask = (token: string): Promise<Answer> =>
      session.sendAsIs({ ...request, headers: { Authorization: `Bearer ${token}` } });
    const before: (TokenInUse & { answer: Answer })[] = [];
    for (const each of tokens) {
      const asked = () => (each.isFresh ? settled(() => ask(each.token), isSuccess) : ask(each.token));
      // A PAT may wear out by its uses, so it is used once more.
      const known = isPatForm(each.token) ? undefined : answered(session, request.path, each.token);
      before.push({ ...each, answer: known ?? (await asked()) });
    }
    if (!session.config.quick) await sleep(PAUSE_SECONDS * 1000);
    for (const { what, token, answer } of before) {
      const after = await ask(token);
      const [said, says] = [adminClaim(jsonOf(answer)), adminClaim(jsonOf(after))];
      if (!isSuccess(answer) || !isSuccess(after) || !said || !says || said.isAdmin === says.isAdmin) continue;
      throw violation(
        `To ${what}, the scopes answer says another thing of administrators after ${PAUSE_SECONDS} s.`,
        said.value,
        says.value,
      )
        .of(said.isAdmin ? 'SCO-03' : 'SCO-04')
        .seenIn(after);
    }
    assertNone(await tokenFindings(session), session);
    if (isWritten) await assertTitleStays(session);
  },
};
