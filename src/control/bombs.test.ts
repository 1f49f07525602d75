// Bodies made to be expensive: each is answered within seconds, and briefly.
import { describe, expect, test } from 'vitest';
import { Answers } from '../core/profiles/answers.ts';
import { shippedFixtures } from '../core/world/fixtures.ts';
import { Seeds } from '../core/world/seeds.ts';
import { World } from '../core/world/world.ts';
import { Worlds } from '../core/world/worlds.ts';
import { fetchDoor } from '../doors/fetch.ts';
import { callerOf, TestMock } from '../testing/client.ts';

const many = (count: number, member: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => member(at)).join(',');
const quiteMany = `{${many(19_000, (at) => `"k${at}":1`)}}`;
const unknownKeys = `{${many(700_000, (at) => `"k${at}":1`)}}`;
const longKey = `{"${'k'.repeat(9_000_000)}":1}`;
const controlKeys = `{"${'\\u0000'.repeat(1_500_000)}":1}`;
const longList = `[${many(1_000_000, () => '"x"')}]`;

describe('a body of the control plane', { timeout: 60_000 }, async () => {
  const mock = await TestMock.withoutPort();
  await mock.call('PATCH /_mock/profile', { json: { answers: { nothing: 1 } } });

  test.each([
    ['POST /_mock/state/recordings', unknownKeys],
    ['POST /_mock/state/recordings', quiteMany],
    ['POST /_mock/state/recordings', '['.repeat(100_000)],
    ['PATCH /_mock/profile', `{"answers":${quiteMany}}`],
    ['POST /_mock/state/users', longKey],
    ['PATCH /_mock/state/users/usr_ada', controlKeys],
    ['PATCH /_mock/profile', `{"answers":${unknownKeys}}`],
    ['PATCH /_mock/profile', `{"answers":${longKey}}`],
    ['PATCH /_mock/profile', `{"answers":{"error-body":${longList}}}`],
    ['PUT /_mock/profile', `{"profile":{"answers":${unknownKeys}}}`],
    ['PUT /_mock/sandboxes/x', unknownKeys],
    ['PUT /_mock/sandboxes/x', `{"faults":${longList}}`],
    ['POST /_mock/tokens', unknownKeys],
    ['POST /_mock/reset', `{"keep":${longList}}`],
  ])('%s: a long one is refused soon, in less than 100 kB', async (line, raw) => {
    const { status, body } = await mock.call(line, { raw });
    expect(status).toBe(400);
    expect(JSON.stringify(body).length).toBeLessThan(100_000);
  });
});

describe('a body of the API', { timeout: 60_000 }, () => {
  test.each(['default', 'strict'])('of a million bytes is answered soon: %s', async (profile) => {
    await using mock = await TestMock.withoutPort({ profile });
    const token = await mock.token();
    await mock.call('PATCH /v1/echo/recordings/rec_kickoff', { token, json: { title: 1 } });
    for (const raw of [`{${many(90_000, (at) => `"k${at}":1`)}}`, `{"title":[${many(400_000, () => '1')}]}`]) {
      const { body } = await mock.call('PATCH /v1/echo/recordings/rec_kickoff', { token, raw });
      expect(JSON.stringify(body).length).toBeLessThan(100_000);
    }
    await mock.call('PUT /_mock/faults/title-tags-stripped');
    await mock.call('PATCH /v1/echo/recordings/rec_kickoff', { token, json: { title: '<'.repeat(1_000_000) } });
  });

  test.each<Readonly<Record<string, string>>>([
    { prefer: `code=${' '.repeat(15_000)}a"b` },
    { authorization: `Bearer ${' '.repeat(15_000)}a b` },
  ])('whose headers are mostly spaces is answered soon', async (headers) => {
    await using mock = await TestMock.withoutPort();
    expect((await mock.call('GET /v1/api-tokens/scopes', { headers })).status).toBeLessThan(500);
  });
});

test('generated recordings have a budget over all worlds, snapshots included', async () => {
  const answers = Answers.of();
  const seeds = new Seeds(shippedFixtures(), () => expect.unreachable('no recording is made'), 1000);
  const worlds = new Worlds(new World({ seed: 1, answers, seedLayer: seeds.layer({ seed: 1, answers }) }), seeds);
  const send = callerOf('http://mock', fetchDoor(worlds));
  const call = (line: string, json?: object) => send(line, { json });
  expect((await call('PUT /_mock/sandboxes/a', { seed: 2, recordings: 400 })).status).toBe(200);
  expect((await call('PUT /~a/_mock/snapshots/kept')).status).toBe(200);
  // Restarts: its former state is released, including snapshots.
  for (const seed of [3, 4, 5, 6])
    expect((await call('POST /~a/_mock/reset', { seed, recordings: 400 })).status).toBe(200);
  expect((await call('PUT /~a/_mock/snapshots/kept')).status).toBe(200);
  expect((await call('PUT /_mock/sandboxes/b', { seed: 7, recordings: 400 })).status).toBe(200);
  const refused = await call('PUT /_mock/sandboxes/c', { seed: 8, recordings: 400 });
  expect(refused.status).toBe(409);
  expect(refused.text).toMatch(/all worlds together may hold 1000 invented recordings; there are \d+, and 400 more/);
  // Another sandbox with the same options shares them.
  expect((await call('PUT /_mock/sandboxes/d', { seed: 7, recordings: 400 })).status).toBe(200);
  await call('DELETE /_mock/sandboxes/a');
  expect((await call('PUT /_mock/sandboxes/c', { seed: 8, recordings: 400 })).status).toBe(200);
});
