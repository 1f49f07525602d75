import { OPERATIONS } from '../api/operations.ts';
import { unknownIdentity, userOfUnknown } from '../session/unknown-identity.ts';
import { describe, isSuccess, jsonOf } from '../values/answer.ts';
import { isObject, type JsonObject } from '../values/json.ts';
import { grantShape } from './grant-shape.ts';
import { agreeing, objectIn, type Probe, Undetermined, unexpected } from './probe.ts';
import { badCredentialsStatus, sendClaims } from './requests.ts';
import { answerFor } from './shape-learner.ts';

function userIdIn(grant: unknown): unknown {
  return isObject(grant) && isObject(grant.user) ? grant.user.id : undefined;
}

/** What each field of the login means: by the user who signs in, else by its name. */
export function loginShape(login: Record<string, string>, user: JsonObject | undefined): unknown {
  const meaningOf = ([name, value]: [string, string]): string => {
    if (/pass|secret|pin$/i.test(name)) return '${password}';
    if (value === user?.email || value.includes('@')) return '${email}';
    return value === user?.username || /user|login|name|account|identifier/i.test(name) ? '${username}' : '${any}';
  };
  const meanings = Object.entries(login).map((field) => [field[0], meaningOf(field)]);
  const whole = meanings.filter(([, meaning]) => meaning !== '${any}');
  if (whole.length !== 2) throw new Undetermined(`the login accepts ${Object.keys(login).join(', ')}`);
  return answerFor('login-request', { template: Object.fromEntries(meanings) });
}

/** Single sign-on (4.1) and the password login (5). */
export const signInProbes: Probe[] = [
  {
    gap: 'sso-required-claims',
    repeats: true,
    sends: 'POST /v1/auth/sso with the claims of admin, less one of them, which may make a user where signing in does',
    writes: true,
    needs: ['actors.admin.sso'],
    async observe(session) {
      const claims = session.credentials('admin').sso ?? {};
      const whole = await session.signIn.ssoGrant('admin');
      const required: string[] = [];
      for (const claim of ['oid', 'tid', 'upn']) {
        if (claims[claim] === undefined) throw new Undetermined(`actors.admin.sso has no ${claim}`);
        const { [claim]: _, ...others } = claims;
        const answer = await sendClaims(session, others);
        if (!isSuccess(answer)) {
          if (answer.response.status >= 500) throw unexpected(`The login without ${claim}`, answer);
          required.push(claim);
        } else if (userIdIn(jsonOf(answer)) !== userIdIn(whole)) {
          session.leftovers.add(`a user that the SSO login without ${claim} may have made`);
        }
      }
      return required;
    },
  },
  {
    gap: 'sso-unknown-identity',
    repeats: true,
    sends:
      'POST /v1/auth/sso with the claims of an unknown user in the directory of admin, twice: always the same ones, so that at most one user is ever made',
    writes: true,
    needs: ['actors.admin.sso'],
    async observe(session) {
      await session.signIn.ssoGrant('admin');
      const claims = unknownIdentity(session);
      const answer = await sendClaims(session, claims);
      const { status } = answer.response;
      if (isSuccess(answer)) {
        session.leftovers.add(userOfUnknown(claims.upn));
        return 'provision';
      }
      // 403 is "not permitted" only where bad credentials get another status.
      if (status === 403 && (await badCredentialsStatus(session)) !== 403) return 'forbid';
      if (status >= 400 && status < 500) return 'refuse';
      throw unexpected('The login', answer);
    },
  },
  {
    gap: 'login-request',
    sends: 'POST /v1/auth/login with the fields of actors.admin.login',
    needs: ['actors.admin.login'],
    async observe(session) {
      // The fields are those of the target file: that the login with them succeeds shows that they are right.
      const { login = {} } = session.credentials('admin');
      const first = await session.signIn.login('admin');
      const { method, path } = OPERATIONS.login;
      const answer = await session.send({ method, path, json: login });
      if (!isSuccess(first) || !isSuccess(answer)) {
        throw new Undetermined(
          `the login with actors.admin.login was answered ${describe(first)} and ${describe(answer)}`,
        );
      }
      const grant = jsonOf(first);
      const sso = session.credentials('admin').sso && (await session.signIn.ssoGrant('admin').catch(() => undefined));
      return loginShape(
        login as Record<string, string>,
        [grant, sso]
          .filter(isObject)
          .map(({ user }) => user)
          .find(isObject),
      );
    },
  },
  {
    gap: 'login-response',
    sends: 'POST /v1/auth/login with the fields of actors.admin.login',
    needs: ['actors.admin.login'],
    async observe(session) {
      return grantShape('login-response', objectIn('The login', await session.signIn.login('admin')), [
        ['as-sso', ['access_token', 'refresh_token', 'token_type', 'expires_in', 'user']],
      ]);
    },
  },
  {
    gap: 'access-token-lifetime',
    sends: 'POST /v1/auth/sso with the claims of admin',
    needs: ['actors.admin.sso'],
    async observe(session) {
      // What expires_in says; the checks compare it with the JWT.
      const grants = [
        await session.signIn.ssoGrant('admin'),
        objectIn('The SSO login', await session.signIn.sendSso('admin')),
      ];
      return agreeing(
        grants.map(({ expires_in }) => ({ what: 'expires_in', value: expires_in })),
        'there is no SSO login',
      );
    },
  },
];
