import { blocked, CheckFailure, violation } from '../failure.ts';
import { adminClaim } from '../session/admin-claim.ts';
import { apiKeysPath, recordingPath, UNKNOWN_PARAMETER } from '../session/operations.ts';
import { settled } from '../session/patience.ts';
import { accessTokenIn, signInAs } from '../session/refreshing.ts';
import type { Session } from '../session/session.ts';
import { type Answer, type ClientRequest, describe, isSuccess, jsonOf } from '../wire/exchange.ts';
import { isObject, parseJson } from '../wire/json.ts';
import { sleep } from '../wire/time.ts';
import type { Check } from './check.ts';
import { assertNone } from './findings.ts';
import { look } from './looks.ts';
import { found, titleIn } from './recording-updates.ts';
import { tokenFindings } from './token-lives.ts';
import { RIVALS } from './updates.ts';

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
  /** What the request was answered with it before the pause. */
  answer: Answer;
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

/**
 * The tokens to use after the pause as before it: that of a new sign-in, the one that the run works with (unless the look
 * at the recording uses that one), and a PAT.
 */
async function tokensInUse(
  session: Session,
  ask: (token: string) => Promise<Answer>,
  knownOf: (token: string) => Answer | undefined,
  looks: boolean,
): Promise<TokenInUse[]> {
  const found: TokenInUse[] = [];
  const use = async (what: string, token: string | undefined, isFresh = false): Promise<void> => {
    if (token === undefined) return;
    // Not every instance may know it yet.
    const asked = () => (isFresh ? settled(() => ask(token), isSuccess) : ask(token));
    found.push({ what, token, answer: knownOf(token) ?? (await asked()) });
  };
  if (session.credentials('admin').sso)
    await use('the last access token', accessTokenIn(await signInAs(session, 'admin')), true);
  const { token } = await session.signIn.bearer('admin');
  if (found.length === 0 || (!looks && found[0]?.token !== token)) await use('the access token in use', token);
  await use('the PAT that was made', session.config.allowWrites ? await lastPat(session) : undefined);
  return found;
}

/** The last PAT that was made for admin: it may have ended those before it. */
async function lastPat(session: Session): Promise<string | undefined> {
  const first = await session.pats.made('admin').catch(() => undefined);
  return session.pats.lastOf('admin') ?? first;
}

/** The title that an update sent. */
function sentTitle({ request }: Answer): string | undefined {
  const body = parseJson(request.body ?? '');
  return isObject(body) && typeof body.title === 'string' ? body.title : undefined;
}

/** A title that the run wrote, to be looked for afterwards: the last one, or a new one where there is none; undefined where none can be written. */
async function titleWritten(session: Session): Promise<string | undefined> {
  if (!session.config.allowWrites || session.target.resources?.recordingId === undefined) return undefined;
  await found(session);
  const path = recordingPath(session.recording.id);
  const last = session.successes.findLast((answer) => answer.request.url.endsWith(path) && sentTitle(answer));
  const title = last && sentTitle(last);
  // Of titles that were written at once either may be kept.
  if (title && title === titleIn(last) && !RIVALS.includes(title)) return title;
  return isSuccess(await session.recording.update({ title: TITLE })) ? TITLE : undefined;
}

async function assertTitleStays(session: Session, title: string): Promise<void> {
  const answer = await settled(
    () => look(session),
    (seen) => titleIn(seen) === title,
  );
  if (!isSuccess(answer)) throw blocked('recording-update-summary', `An update answered ${describe(answer)}`);
  if (titleIn(answer) === title) return;
  throw violation(`A title was gone ${PAUSE_SECONDS} s after an update answered it.`, title, titleIn(answer))
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
    const title = await titleWritten(session);
    // A parameter that a probe would send is sent on the way, as long as it is not refused.
    let search = session.config.probing ? `?${UNKNOWN_PARAMETER}=1` : '';
    const ask = async (token: string): Promise<Answer> => {
      const headers = { Authorization: `Bearer ${token}` };
      const answer = await session.sendAsIs({ ...request, path: request.path + search, headers });
      if (search === '' || ![400, 422].includes(answer.response.status)) return answer;
      search = '';
      return ask(token);
    };
    const knownOf = (token: string): Answer | undefined => answered(session, request.path, token);
    const tokens = await tokensInUse(session, ask, knownOf, title !== undefined);
    if (!session.config.quick) await sleep(PAUSE_SECONDS * 1000);
    for (const { what, token, answer } of tokens) {
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
    if (title !== undefined) await assertTitleStays(session, title);
  },
};
