import { candidatePaths } from '../session/gap-answers.ts';
import type { Session } from '../session/session.ts';
import { type Answer, type ClientRequest, describe, isSuccess, jsonOf } from '../wire/exchange.ts';
import { findStrings, type JsonObject } from '../wire/json.ts';
import { hasAll, type Probe, shapeProbe, Undetermined, unexpected } from './probe.ts';

/** The ways to send a refresh token that the ledger knows. */
export const REFRESH_FORMS = {
  'snake-body': (token) => ({ json: { refresh_token: token } }),
  'camel-body': (token) => ({ json: { refreshToken: token } }),
  'bearer-header': (token) => ({ headers: { Authorization: `Bearer ${token}` } }),
} as const satisfies Record<string, (token: string) => Pick<ClientRequest, 'json' | 'headers'>>;
type RefreshForm = keyof typeof REFRESH_FORMS;
const FORMS = Object.keys(REFRESH_FORMS) as RefreshForm[];

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
      const answer = await session.refresh(path, REFRESH_FORMS[form](token));
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

const hasTokens = (grant: JsonObject): boolean =>
  hasAll(grant, ['access_token', 'refresh_token', 'token_type', 'expires_in']);

/** The refresh token in an answer, whatever its shape: by the name of the member. */
function refreshTokenIn(answer: Answer): string | undefined {
  return findStrings(jsonOf(answer)).find(({ path }) => path.some((name) => /refresh/i.test(name)))?.value;
}

const EXCHANGE = 'POST of a fresh refresh token to the likely paths, in three forms, until one succeeds';
const needs: Probe['needs'] = ['actors.admin.sso'];

/** The exchange of refresh tokens (5). Only a success shows path and form: a refusal may mean anything. */
export const refreshProbes: Probe[] = [
  { gap: 'refresh-path', sends: EXCHANGE, needs, observe: async (session) => (await exchanged(session)).path },
  { gap: 'refresh-request', sends: EXCHANGE, needs, observe: async (session) => (await exchanged(session)).form },
  shapeProbe({
    gap: 'refresh-response',
    sends: 'POST of a fresh refresh token, shared with refresh-path',
    needs,
    what: 'The exchange',
    has: 'the exchange answers',
    answerOf: async (session) => (await exchanged(session)).answer,
    shapes: {
      'as-sso': (grant) => hasTokens(grant) && grant.user !== undefined,
      tokens: hasTokens,
    },
  }),
  {
    gap: 'refresh-rotation',
    sends: 'POST of the refresh token that was exchanged already',
    needs,
    async observe(session) {
      // The token is from a login made for this, so no other caller loses it.
      const { path, form, token, answer } = await exchanged(session);
      const again = await session.refresh(path, REFRESH_FORMS[form](token));
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
