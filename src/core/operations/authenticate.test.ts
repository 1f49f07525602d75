import jwt from 'jsonwebtoken';
import { expect, test } from 'vitest';
import { createMock } from '../../index.ts';
import { TestMock } from '../../testing/client.ts';
import { signedJwt } from '../jwt.ts';
import { issueAccessToken, revokeToken, userOfAccessToken, validClaims } from './tokens.ts';

const mock = await TestMock.withoutPort();
const token = await mock.token();
const pat = ((await mock.call('POST /v1/api-tokens', { token, json: { name: 'x' } })).body as { token: string }).token;
const refreshToken = ((await mock.sso()).body as { refresh_token: string }).refresh_token;

const protectedLines = [
  'GET /v1/api-tokens/scopes',
  'GET /v1/admin/tenants/ten_analytical/api-keys',
  'PATCH /v1/echo/recordings/rec_kickoff',
  'POST /v1/api-tokens',
];
const call = (line: string, credentials: string | undefined) =>
  mock.call(line, { token: credentials, ...(line.startsWith('GET') ? {} : { json: { name: 'x' } }) });

const claims = (changes: object = {}) => ({ ...(jwt.decode(token) as object), ...changes });
// Tokens that are signed otherwise: src/server/jwt.test.ts.
const attacks: Record<string, () => string> = {
  'an expired JWT': () => jwt.sign(claims({ iat: 1, exp: 2 }), mock.world.signingKey),
  'a JWT without exp': () => jwt.sign({ sub: 'usr_ada' }, mock.world.signingKey),
  'a JWT of an unknown user': () => jwt.sign(claims({ sub: 'usr_none' }), mock.world.signingKey),
  'a key in the header': () => signedJwt({ alg: 'HS256', jwk: { kty: 'oct', k: 'Z3Vlc3M' } }, claims(), 'guess'),
  'a refresh token': () => refreshToken,
  'a PAT with another secret': () => `${pat.slice(0, -4)}AAAA`,
  'a PAT with a longer secret': () => `${pat}A`,
  'a PAT without its secret': () => pat.slice(0, pat.indexOf('.') + 1),
  'a PAT with another id': () => pat.replace(/_.{4}/, '_0000'),
  'a PAT with another prefix': () => pat.replace('pat_', 'tok_'),
};

test.each(Object.keys(attacks))('%s is refused everywhere', async (name) => {
  for (const line of protectedLines) expect((await call(line, attacks[name]?.())).status).toBe(401);
});

test('whether another spelling of a genuine token is accepted is an assumption', async () => {
  const line = 'GET /v1/api-tokens/scopes';
  const basis = expect.stringContaining('lax-tokens');
  expect(await mock.call(line, { token: `${pat}.more` })).toMatchObject({ status: 401, basis });
  expect((await mock.call(line, { token: pat })).basis).not.toContain('lax-tokens');
  await using lax = await TestMock.withoutPort({ profile: { answers: { 'lax-tokens': ['jwt-with-a-part-more'] } } });
  expect(await lax.call(line, { token: `${await lax.token()}.more` })).toMatchObject({ status: 200, basis });
  expect(await lax.call(line, { headers: { authorization: `bearer ${await lax.token()}` } })).toMatchObject({
    status: 401,
    basis,
  });
});

test.each([pat.split('.')[1], refreshToken])('the world does not store the secret %s', (secret) => {
  expect(JSON.stringify(mock.world)).not.toContain(secret);
});

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
