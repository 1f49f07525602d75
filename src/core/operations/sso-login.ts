import type { GapAnswers } from '../spec/gaps.ts';
import type { SsoIdentity, User } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { apiError } from './api-error.ts';
import { fullGrant, refuseUnconfirmed } from './grant.ts';
import type { Operation } from './operation.ts';
import { provisionUser } from './provision.ts';

/** POST /v1/auth/sso: signs in with the claims of an identity provider (4.1). */
export const ssoLogin: Operation<'ssoLogin'> = (world, request) => {
  const claims: Partial<SsoIdentity> = request.body;
  const user = findUser(world, claims) ?? userForUnknown(world, claims, request.assume('sso-unknown-identity'));
  refuseUnconfirmed(world, user, request);
  return { body: fullGrant(world, user, request) };
};

/** The one user who matches every claim that was sent. */
function findUser(world: World, claims: Partial<SsoIdentity>): User | undefined {
  const { users } = world.store;
  const key = (['oid', 'upn', 'tid'] as const).find((claim) => claims[claim] !== undefined);
  if (key === undefined) return undefined;
  const matches = users
    .lookup(key, claims[key] ?? '')
    .filter(({ sso }) =>
      (['oid', 'tid', 'upn'] as const).every((claim) => claims[claim] === undefined || claims[claim] === sso[claim]),
    );
  return matches.length === 1 ? matches[0] : undefined;
}

function userForUnknown(world: World, claims: Partial<SsoIdentity>, answer: GapAnswers['sso-unknown-identity']): User {
  const provisioned = answer === 'provision' ? provisionUser(world, claims) : undefined;
  if (provisioned) return provisioned;
  const kind = answer === 'forbid' ? 'forbidden' : 'invalid-credentials';
  throw apiError(world.answers, kind, 'No user matches these claims.', { gaps: ['sso-unknown-identity'] });
}
