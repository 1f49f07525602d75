import { type Attempt, attemptAt, freshExchange, refreshTokenIn } from '../session/refreshing.ts';
import type { Session } from '../session/session.ts';
import { describe, isSuccess } from '../values/answer.ts';
import { grantShape } from './grant-shape.ts';
import { objectIn, type Probe, Undetermined, unexpected } from './probe.ts';

/** The first exchange of a fresh refresh token that succeeded. */
async function exchanged(session: Session): Promise<Attempt> {
  const { login, found, tried } = await freshExchange(session);
  if (!tried) throw unexpected('A fresh SSO login, for a refresh token,', login);
  if (found) return found;
  const seen = [...new Set(tried.map(({ path, answer }) => `${path} ${describe(answer)}`))];
  throw new Undetermined(`no likely path accepted the refresh token of a fresh login (${seen.join('; ')})`);
}

const GRANT = ['access_token', 'refresh_token', 'token_type', 'expires_in'];

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
      const first = await exchanged(session);
      const { token, answer } = first;
      const { answer: again } = await attemptAt(session, first, token);
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
