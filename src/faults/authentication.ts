import jwt from 'jsonwebtoken';
import { bearerToken } from '../operations/authenticate.ts';
import type { Caller } from '../operations/operation.ts';
import type { World } from '../world/world.ts';
import type { Fault } from './fault.ts';

/** A fault that lets a token in that is to be refused. */
const acceptingFault = (fault: Omit<Fault, 'wrap'>, accepts: (token: string) => boolean): Fault => ({
  ...fault,
  wrap: (behaviour) => ({
    ...behaviour,
    authenticate: (world, authorization) => {
      const token = bearerToken(authorization);
      const caller = token !== undefined && accepts(token) ? callerNamedIn(world, token) : undefined;
      return caller ?? behaviour.authenticate(world, authorization);
    },
  }),
});

function callerNamedIn(world: World, token: string): Caller | undefined {
  const claims = jwt.decode(token, { json: true });
  const user = world.store.users.get(String(claims?.sub));
  return user && { user, via: 'jwt' };
}

/** Faults of authentication (part 5). */
export const authenticationFaults: readonly Fault[] = [
  acceptingFault(
    { id: 'unsigned-jwt-accepted', description: 'A JWT with alg none is accepted.', requirements: ['AUT-06'] },
    (token) => jwt.decode(token, { complete: true })?.header.alg === 'none',
  ),
  acceptingFault(
    {
      id: 'jwt-signature-unchecked',
      description: "A JWT's signature is not checked.",
      requirements: ['AUT-05', 'AUT-06'],
    },
    (token) => jwt.decode(token) !== null,
  ),
];
