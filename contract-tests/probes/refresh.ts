import { candidatePaths } from '../session/gap-answers.ts';
import type { Session } from '../session/session.ts';
import { loadGaps } from '../spec-data.ts';
import { type Answer, type ClientRequest, describe, isSuccess, jsonOf } from '../wire/exchange.ts';
import { findStrings } from '../wire/json.ts';
import { grantShape } from './grant-shape.ts';
import { objectIn, type Probe, Undetermined, unexpected } from './probe.ts';

/** A way to send a refresh token: the name of the ledger's answer, or the shape of the body. */
type RefreshForm = string | { template: unknown };

/** The ways to send a refresh token that the ledger knows or gives as examples. */
const FORMS: readonly RefreshForm[] = (() => {
  const gap = loadGaps().find(({ id }) => id === 'refresh-request');
  return [...Object.keys(gap?.answers ?? {}), ...((gap?.examples ?? []) as { template: unknown }[])];
})();

/** The ways in which a refresh token is tried, for the plan. */
export const REFRESH_WAYS = FORMS.map((form) => (typeof form === 'string' ? form : JSON.stringify(form.template))).join(
  ', ',
);

/** What sends a refresh token in a form: an answer to the gap refresh-request. */
export function refreshRequest(form: unknown, token: string): Pick<ClientRequest, 'json' | 'headers'> {
  const shape =
    typeof form === 'string'
      ? loadGaps().find(({ id }) => id === 'refresh-request')?.shapes?.[form]
      : (form as { template: unknown });
  if (!shape) return { headers: { Authorization: `Bearer ${token}` } };
  return { json: JSON.parse(JSON.stringify(shape.template).replaceAll('${refreshToken}', token)) };
}

/** How a refresh token was exchanged. */
interface Exchanged {
  path: string;
  form: RefreshForm;
  /** The token that was sent. */
  token: string;
  answer: Answer;
}

/**
 * The first exchange of a fresh refresh token that succeeds. A path that says at once that it is not there is tried in
 * the other forms only when no other path answers, since a deployment may hide refusals behind 404.
 */
async function exchanged(session: Session): Promise<Exchanged> {
  return session.recorder.once('probe: refresh', async () => {
    const login = await session.signIn.sendSso('admin');
    const token = refreshTokenIn(login);
    if (!isSuccess(login) || !token) throw unexpected('A fresh SSO login, for a refresh token,', login);
    const tried: { path: string; form: RefreshForm; answer: Answer }[] = [];
    const attempt = async (path: string, form: RefreshForm): Promise<Exchanged | undefined> => {
      const answer = await session.refresh(path, refreshRequest(form, token));
      tried.push({ path, form, answer });
      return isSuccess(answer) && refreshesSomething(answer) ? { path, form, token, answer } : undefined;
    };
    const absent: string[] = [];
    for (const path of candidatePaths('refresh-path', session.config.answers)) {
      for (const form of FORMS) {
        const found = await attempt(path, form);
        if (found) return found;
        if (form === FORMS[0] && [404, 405].includes(tried.at(-1)?.answer.response.status ?? 0)) {
          absent.push(path);
          break;
        }
      }
    }
    for (const path of absent) {
      for (const form of FORMS.slice(1)) {
        const found = await attempt(path, form);
        if (found) return found;
      }
    }
    const seen = [...new Set(tried.map(({ path, answer }) => `${path} ${describe(answer)}`))];
    throw new Undetermined(`no likely path accepted the refresh token of a fresh login (${seen.join('; ')})`);
  });
}

/** A page that answers everything with 200 exchanges nothing. */
function refreshesSomething(answer: Answer): boolean {
  return /access/i.test(answer.response.body) || /"(token|jwt)"/i.test(answer.response.body);
}

const GRANT = ['access_token', 'refresh_token', 'token_type', 'expires_in'];

/** The refresh token in an answer, whatever its shape: by the name of the member. */
function refreshTokenIn(answer: Answer): string | undefined {
  return findStrings(jsonOf(answer)).find(({ path }) => path.some((name) => /refresh/i.test(name)))?.value;
}

const EXCHANGE = 'POST of a fresh refresh token to the likely paths, in each form, until one succeeds';
const needs: Probe['needs'] = ['actors.admin.sso'];

/** The exchange of refresh tokens (5). Only a success shows path and form: a refusal may mean anything. */
export const refreshProbes: Probe[] = [
  { gap: 'refresh-path', sends: EXCHANGE, needs, observe: async (session) => (await exchanged(session)).path },
  { gap: 'refresh-request', sends: EXCHANGE, needs, observe: async (session) => (await exchanged(session)).form },
  {
    gap: 'refresh-response',
    sends: 'POST of a fresh refresh token, shared with refresh-path',
    needs,
    async observe(session) {
      return grantShape('refresh-response', objectIn('The exchange', (await exchanged(session)).answer), [
        ['as-sso', [...GRANT, 'user']],
        ['tokens', GRANT],
      ]);
    },
  },
  {
    gap: 'refresh-rotation',
    sends: 'POST of the refresh token that was exchanged already',
    needs,
    async observe(session) {
      // The token is from a login made for this, so no other caller loses it.
      const { path, form, token, answer } = await exchanged(session);
      const again = await session.refresh(path, refreshRequest(form, token));
      if (isSuccess(again)) return 'reuse';
      const next = refreshTokenIn(answer);
      if (again.response.status >= 500) throw unexpected('The second exchange', again);
      if (next === undefined || next === token) {
        throw new Undetermined('the token is refused the second time, but the first answer carried no new one');
      }
      return 'rotate';
    },
  },
];
