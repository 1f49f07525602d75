import jwt from 'jsonwebtoken';
import { expect, test } from 'vitest';
import { createMock } from '../../index.ts';
import { issueAccessToken, revokeToken, userOfAccessToken, validClaims } from './tokens.ts';

async function signedIn() {
  const { world } = await createMock();
  const user = world.store.users.get('usr_ada');
  if (!user) throw new Error('no usr_ada');
  const token = issueAccessToken(world, user);
  expect(userOfAccessToken(world, token)?.id).toBe('usr_ada');
  return { world, token };
}

test('a verified token is refused before its nbf', async () => {
  const { world } = await signedIn();
  const now = world.clock.nowSeconds();
  const token = jwt.sign({ sub: 'usr_ada', exp: now + 900, nbf: now + 60 }, world.signingKey);
  expect(validClaims(world, token)).toBeUndefined();
  world.clock.advance(61_000);
  expect(validClaims(world, token)?.sub).toBe('usr_ada');
  world.clock.advance(-61_000);
  expect(validClaims(world, token)).toBeUndefined();
});

test('a verified token is refused under another key, once it is revoked, and once its user is deleted', async () => {
  const { world, token } = await signedIn();
  const { signingKey } = world;
  world.signingKey = 'another';
  expect(userOfAccessToken(world, token)).toBeUndefined();
  world.signingKey = signingKey;
  expect(userOfAccessToken(world, token)?.id).toBe('usr_ada');
  revokeToken(world, token);
  expect(userOfAccessToken(world, token)).toBeUndefined();
  world.reset();
  expect(userOfAccessToken(world, token)?.id).toBe('usr_ada');
  world.store.users.delete('usr_ada');
  expect(userOfAccessToken(world, token)).toBeUndefined();
});
