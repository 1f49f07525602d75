import { createHash } from 'node:crypto';
import { OPERATIONS } from '../session/operations.ts';
import { describe, isSuccess, jsonOf } from '../wire/exchange.ts';
import { isObject } from '../wire/json.ts';
import { agreeing, hasAll, objectIn, type Probe, shapeProbe, Undetermined, unexpected } from './probe.ts';
import { sendClaims } from './requests.ts';

function userIdIn(grant: unknown): unknown {
  return isObject(grant) && isObject(grant.user) ? grant.user.id : undefined;
}

/** An identifier in the form of a UUID, the same for a directory at every run. */
function identifierFor(tid: string): string {
  const hex = createHash('sha256').update(`platform-mock probe ${tid}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

/** Single sign-on (4.1) and the password login (5). */
export const signInProbes: Probe[] = [
  {
    gap: 'sso-required-claims',
    sends: 'POST /v1/auth/sso with the claims of admin, less one of them, which may make a user where signing in does',
    writes: true,
    repeats: true,
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
    sends:
      'POST /v1/auth/sso with the claims of an unknown user in the directory of admin: always the same ones, so that at most one user is ever made, where signing in makes users',
    repeats: true,
    writes: true,
    needs: ['actors.admin.sso'],
    async observe(session) {
      // The directory is that of admin, so that only the user is unknown.
      const { tid = '', upn = '' } = session.credentials('admin').sso ?? {};
      await session.signIn.ssoGrant('admin');
      const domain = upn.split('@')[1] ?? 'example.invalid';
      const claims = { oid: identifierFor(tid), tid, upn: `platform-mock-probe@${domain}` };
      const answer = await sendClaims(session, claims);
      const { status } = answer.response;
      if (isSuccess(answer)) {
        session.leftovers.add(`the user ${claims.upn}, made by the SSO login of an unknown identity`);
        return 'provision';
      }
      if (status >= 400 && status < 500) return 'refuse';
      throw unexpected('The login', answer);
    },
  },
  {
    gap: 'login-request',
    sends: 'POST /v1/auth/login with the fields of actors.admin.login, twice',
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
      const fields = Object.keys(login).toSorted().join('-');
      if (fields === 'email-password') return fields;
      if (fields === 'password-username') return 'username-password';
      throw new Undetermined(`the login accepts ${Object.keys(login).join(', ')}`);
    },
  },
  shapeProbe({
    gap: 'login-response',
    sends: 'POST /v1/auth/login with the fields of actors.admin.login',
    needs: ['actors.admin.login'],
    what: 'The login',
    has: 'the login answers',
    answerOf: (session) => session.signIn.login('admin'),
    shapes: {
      'as-sso': (grant) => hasAll(grant, ['access_token', 'refresh_token', 'token_type', 'expires_in', 'user']),
      'token-only': (grant) =>
        hasAll(grant, ['access_token', 'token_type', 'expires_in']) &&
        grant.refresh_token === undefined &&
        grant.user === undefined,
    },
  }),
  {
    gap: 'access-token-lifetime',
    sends: 'POST /v1/auth/sso with the claims of admin, twice',
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
