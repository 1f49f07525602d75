import { refreshTokenIn } from '../api/tokens-in-answers.ts';
import { isOk, jsonIn, sentObject, statusOf } from '../log/entry.ts';
import { isObject, type JsonObject } from '../values/json.ts';
import { claimsOf } from './questions.ts';
import { objectIn, type Read, Undetermined, unexpected } from './reader.ts';
import { answerFor } from './shape-learner.ts';
import { grantShape, loginShape } from './shapes.ts';

const userIn = (json: unknown): JsonObject | undefined =>
  isObject(json) && isObject(json.user) ? json.user : undefined;

/** Single sign-on (4.1), the password login and the exchange of refresh tokens (5). */
export const signIns: Readonly<Record<string, Read>> = {
  'sso-required-claims': (look) =>
    ['oid', 'tid', 'upn'].filter((claim) => {
      if (claimsOf(look.log)[claim] === undefined) throw new Undetermined(`actors.admin.sso has no ${claim}`);
      const entry = look.take(`sso-without-${claim}`);
      return !isOk(entry) && (statusOf(entry) < 500 || unexpected(`The login without ${claim}`, entry));
    }),
  'sso-unknown-identity': (look) => {
    const entry = look.take('sso-unknown');
    if (isOk(entry)) return 'provision';
    // 403 is "not permitted" only where bad credentials get another status.
    const [bad] = statusOf(entry) === 403 ? look.any('keys-as-garbage', 1) : [];
    if (bad && statusOf(bad) !== 403) return 'forbid';
    return statusOf(entry) < 500 ? 'refuse' : unexpected('The login', entry);
  },
  // The fields are those of the target file: that the login with them succeeds shows that they are right.
  'login-request': (look) => {
    const entry = look.take('login');
    if (!isOk(entry)) unexpected('The login with actors.admin.login', entry);
    const grants = [entry, ...(look.log.isPartial ? [] : look.any('sso', 1))];
    const user = grants.map((grant) => userIn(jsonIn(grant))).find((one) => one !== undefined);
    return loginShape(sentObject(entry) as Record<string, string>, user);
  },
  'login-response': (look) => grantShape('login-response', objectIn('The login', look.take('login'))),
  'refresh-path': (look) => look.take('refresh').path,
  'refresh-request': (look) => {
    const { template } = look.take('refresh').refresh ?? {};
    if (!template) return 'bearer-header';
    // What else is sent may be a secret of a client.
    const others = Object.entries(template).filter(([, value]) => value !== '${refreshToken}');
    if (others.some(([name, value]) => name !== 'grant_type' || value !== 'refresh_token'))
      throw new Undetermined(`it is sent with ${others.map(([name]) => name).join(', ')}`);
    return answerFor('refresh-request', { template });
  },
  'refresh-response': (look) => grantShape('refresh-response', objectIn('The exchange', look.take('refresh'))),
  'refresh-rotation': (look) => {
    look.any('refresh');
    const again = look.take('refresh-again');
    if (isOk(again)) return 'reuse';
    if (statusOf(again) >= 500) unexpected('The second exchange', again);
    const { token, exchanged } = again.refresh ?? {};
    const next = exchanged && refreshTokenIn(exchanged);
    if (next !== undefined && next !== token) return 'rotate';
    throw new Undetermined('the token is refused the second time, but the first answer carried no new one');
  },
  // What expires_in says; a rule compares it with the JWT.
  'access-token-lifetime': (look) => {
    const { expires_in: lifetime } = objectIn('The SSO login', look.take('sso'));
    if (Number.isInteger(lifetime)) return lifetime;
    throw new Undetermined('the SSO login states no lifetime');
  },
};
