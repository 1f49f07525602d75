import jwt from 'jsonwebtoken';
import { expect, test } from 'vitest';
import { scopes, TestMock } from '../../testing/client.ts';
import { signedJwt } from '../jwt.ts';

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

test('a verified token is refused before its nbf, under another key, once it is revoked, and once its user is deleted', async () => {
  const own = await TestMock.withoutPort();
  const { world } = own;
  const now = world.clock.nowSeconds();
  const token = jwt.sign({ sub: 'usr_ada', jti: 'a', exp: now + 900, nbf: now + 60 }, world.signingKey);
  const { signingKey } = world;
  const changes: [status: number, change?: () => unknown][] = [
    [401],
    [200, () => world.clock.advance(61_000)],
    [401, () => world.clock.advance(-61_000)],
    [200, () => world.clock.advance(61_000)],
    [401, () => Object.assign(world, { signingKey: 'another' })],
    [200, () => Object.assign(world, { signingKey })],
    [401, () => own.call('POST /_mock/tokens/expire', { json: { token } })],
    [401, () => world.reset()],
    [200, () => world.clock.advance(61_000)],
    [401, () => world.store.users.delete('usr_ada')],
  ];
  for (const [status, change] of changes) {
    await change?.();
    expect([change?.toString(), (await own.call(scopes, { token })).status]).toEqual([change?.toString(), status]);
  }
});
