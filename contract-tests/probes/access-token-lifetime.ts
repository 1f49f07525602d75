import { objectIn } from './grants.ts';
import { agreeing, type Probe } from './probe.ts';

/** What expires_in says; the checks compare it with the JWT. */
export const accessTokenLifetime: Probe = {
  gap: 'access-token-lifetime',
  sends: 'POST /v1/auth/sso with the claims of admin, twice',
  writes: false,
  needs: ['actors.admin.sso'],
  async observe(session) {
    const grants = [
      await session.signIn.ssoGrant('admin'),
      objectIn('The SSO login', await session.signIn.sendSso('admin')),
    ];
    return agreeing(
      grants.map(({ expires_in }) => ({ what: 'expires_in', value: expires_in })),
      'there is no SSO login',
    );
  },
};
