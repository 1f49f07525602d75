/** Sign-ins that end up with the wrong user, or do not end up anywhere. */
import { Unauthenticated } from '../errors.ts';
import { pause } from '../pause.ts';
import { defect } from './row.ts';
import * as says from './statements.ts';

export const identityDefects = [
  defect(
    'sso-by-directory-only',
    'conditional',
    says.OID,
    'The user is looked up by the directory alone, so everybody of it is signed in as its first user',
    {
      identity(identity, { world }) {
        const first = [...world.store.users.values()].find((user) => user.tid === identity.tid);
        return world.store.userBySso(identity) && first ? { ...identity, oid: first.oid } : identity;
      },
    },
  ),
  defect(
    'sso-overlap-mixes-users',
    'concurrent',
    says.SSO_PURPOSE,
    'Of overlapping sign-ins all are answered for the identity that came last',
    {
      async identity(identity, { world }) {
        world.memory.set('identity', identity);
        await pause(60);
        return world.memory.get<typeof identity>('identity') ?? identity;
      },
    },
  ),
  defect(
    'sso-wants-authorization-while-signed-in',
    'timed',
    says.NO_AUTHORIZATION,
    'A sign-in within a second of the last one of that identity needs an Authorization header',
    {
      identity(identity, { world, authorization }) {
        const last = world.memory.get<number>(`sso:${identity.oid}`) ?? 0;
        if (Date.now() - last < 1000 && !authorization) throw new Unauthenticated();
        world.memory.set(`sso:${identity.oid}`, Date.now());
        return identity;
      },
    },
  ),
  defect(
    'sso-sticks-after-refusal',
    'stateful',
    says.SSO_PURPOSE,
    'After a sign-in with an unknown identity, the next one is answered for the user signed in before',
    {
      identity(identity, { world }) {
        const { memory, store } = world;
        if (!store.userBySso(identity)) {
          memory.set('refused', true);
          return identity;
        }
        const earlier = memory.get<typeof identity>('earlier');
        const stuck = memory.get<boolean>('refused') === true && earlier ? earlier : identity;
        memory.set('refused', false);
        memory.set('earlier', identity);
        return stuck;
      },
    },
  ),
];
