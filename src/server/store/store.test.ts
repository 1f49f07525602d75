import { randomUUID } from 'node:crypto';
import { cpSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testFolder } from '../../../contract-tests/testing/folder.ts';
import { defineRoutes, type MockOptions } from '../../index.ts';
import { field, inTurn, TestMock } from '../../testing/client.ts';
import { noRedis, RedisServer } from '../../testing/redis.ts';

// What every store promises, for one mock and, if the store outlives it, for the next one that opens it.

let redis: RedisServer | undefined;

const routes = [
  defineRoutes({
    routes: [
      {
        method: 'POST',
        path: '/v1/notes',
        answer: ({ world }) => ({ body: world.table('notes').create({ id: 'n2' }) }),
      },
      { path: '/v1/notes', body: '{{ tables.notes | map: "id" }}' },
    ],
    tables: { notes: [{ id: 'n1' }] },
  }),
];

const stores: [string, () => MockOptions, boolean][] = [
  ['memory', () => ({}), false],
  ['a file', () => ({ state: join(testFolder(), 'state.json') }), true],
  ['Redis', () => ({ store: `${redis?.url}?prefix=${randomUUID()}:` }), true],
];

interface Case {
  readonly act: (mock: TestMock) => Promise<unknown>;
  readonly look: (mock: TestMock) => Promise<unknown>;
  readonly seen: unknown;
}

const bodyOf = async (mock: TestMock, line: string) => {
  const { status, body } = await mock.call(line);
  expect([line, status < 500 || body]).toEqual([line, true]);
  return body;
};
const control = async (mock: TestMock, line: string, json: unknown = {}) => {
  const { status, body } = await mock.call(line, { json });
  expect([line, status < 300 || isRefusing || body]).toEqual([line, true]);
};
let revoked = '';
/** Makes the store fail to keep anything. */
let isRefusing = false;
const namesOf = async (mock: TestMock) =>
  (await mock.mock.control.GET('/sandboxes')).data.sandboxes.map(({ name }) => name).sort();
/** Of the recordings with these ids, or the first one of the worlds with these prefixes. */
const titlesOf =
  (...of: readonly string[]) =>
  (mock: TestMock) =>
    inTurn(of.length, (at) => (of[at]?.startsWith('rec_') ? mock.title('', of[at]) : mock.title(of[at])));

const infoOf = (members: object, recordings: number) =>
  expect.objectContaining({ ...members, counts: expect.objectContaining({ recordings }) });

const worldsOf = ({ worlds }: TestMock) =>
  [['', worlds.main] as const, ...worlds.named()].map(([name, world]) => [
    name,
    JSON.stringify(world),
    [...world.snapshots.keys()],
  ]);

/** Everything fails without a trace while the file cannot be written: its lock was removed. */
async function expectRefusal(mock: TestMock, lock: string, act: Case['act']): Promise<void> {
  const statuses: number[] = [];
  const call = mock.call.bind(mock);
  mock.call = async (...words) => {
    const seen = await call(...words);
    statuses.push(seen.status);
    return seen;
  };
  const before = worldsOf(mock);
  renameSync(lock, `${lock}.aside`);
  isRefusing = true;
  await act(mock);
  expect(worldsOf(mock)).toEqual(before);
  expect(statuses).toContain(503);
  expect(await mock.worlds.services.ready?.()).toContain('the state cannot be saved: its lock was removed');
  renameSync(`${lock}.aside`, lock);
  isRefusing = false;
  expect(await mock.worlds.services.ready?.()).toBeUndefined();
}

const cases: Readonly<Record<string, Case>> = {
  'an update': { act: (mock) => mock.update({ title: 'kept' }), look: (mock) => mock.title(), seen: 'kept' },
  'what a sandbox holds, apart from the main world and other sandboxes': {
    act: async (mock) => {
      await mock.rename('of one', '/~one');
      await mock.rename('of two', '/~two');
    },
    look: async (mock) => [await titlesOf('/~one', '/~two', '')(mock), await namesOf(mock)],
    seen: [
      ['of one', 'of two', 'Kick-off: difference engine'],
      ['one', 'two'],
    ],
  },
  'a reset, and what came after it, a deleted record included': {
    act: async (mock) => {
      await mock.update({ title: 'before' });
      await control(mock, 'POST /_mock/reset');
      await control(mock, 'PATCH /_mock/state/recordings/rec_weekly', { title: 'after' });
      await control(mock, 'DELETE /_mock/state/recordings/rec_interview');
    },
    look: titlesOf('rec_kickoff', 'rec_weekly', 'rec_interview'),
    seen: ['Kick-off: difference engine', 'after', 404],
  },
  'a snapshot, restored later': {
    act: async (mock) => {
      await mock.update({ title: 'in the snapshot' });
      await control(mock, 'PUT /_mock/snapshots/one');
      await mock.update({ title: 'later' });
      await control(mock, 'PUT /_mock/snapshots/two');
      await control(mock, 'DELETE /_mock/snapshots/two');
    },
    look: async (mock) => {
      await control(mock, 'PUT /~copy/_mock/snapshots/mine');
      await control(mock, 'PUT /_mock/sandboxes/copy', { from: { sandbox: 'main', snapshot: 'one' } });
      await control(mock, 'POST /~third/_mock/reset', { from: { sandbox: 'copy' } });
      const names = (await mock.mock.control.GET('/info')).data.snapshots.map(({ name }) => name);
      return [await titlesOf('', '/~copy', '/~third')(mock), names];
    },
    seen: [['later', 'in the snapshot', 'in the snapshot'], ['one']],
  },
  'the clock, armed faults, planned statuses and the profile': {
    act: async (mock) => {
      await control(mock, 'PATCH /_mock/profile', { answers: { 'forbidden-status': 401 } });
      await control(mock, 'PATCH /_mock/clock', { frozen: true, at: '2030-01-01T00:00:00.000Z' });
      await control(mock, 'PUT /_mock/faults/latency', { times: 3 });
      await control(mock, 'PATCH /_mock/state/recordings/rec_kickoff', { status: 'pending' });
      await control(mock, 'POST /_mock/recordings/rec_kickoff/process', { afterSeconds: 60 });
      await control(mock, 'PATCH /_mock/clock', { seconds: 61 });
    },
    look: async (mock) => {
      const { data: info } = await mock.mock.control.GET('/info');
      const { gaps } = (await mock.mock.control.GET('/profile')).data;
      const recording = await bodyOf(mock, 'GET /_mock/state/recordings/rec_kickoff');
      const { answer } = gaps.find(({ id }) => id === 'forbidden-status') ?? {};
      return [info.time, info.faults, answer, field(recording, 'status')];
    },
    seen: ['2030-01-01T00:01:01.000Z', ['latency'], 401, 'completed'],
  },
  'what a sandbox was made with, and a token that was revoked': {
    act: async (mock) => {
      await control(mock, 'PUT /_mock/sandboxes/mine', { profile: 'strict', seed: 7, recordings: 12 });
      await control(mock, 'PATCH /~mine/_mock/profile', { answers: { 'method-values': ['by-phone'] } });
      revoked = String(
        field((await mock.call('POST /~mine/_mock/tokens', { json: { user: 'usr_ada' } })).body, 'token'),
      );
      await control(mock, 'POST /~mine/_mock/tokens/expire', { token: revoked });
    },
    look: async (mock) => {
      const { status } = await mock.call('GET /~mine/v1/api-tokens/scopes', { token: revoked });
      await control(mock, 'POST /~mine/_mock/reset');
      return [status, await bodyOf(mock, 'GET /~mine/_mock/info')];
    },
    seen: [401, infoOf({ profile: 'strict' }, 12)],
  },
  'a custom route, its sequence, custom tables, and sandboxes that are gone': {
    act: async (mock) => {
      await mock.call('POST /v1/notes');
      await control(mock, 'POST /_mock/routes', { path: '/v1/quota', answers: [{ body: 1 }, { body: 2 }] });
      await mock.call('GET /v1/quota');
      await control(mock, 'PUT /_mock/sandboxes/gone');
      await mock.rename('gone', '/~gone');
      await mock.call('DELETE /_mock/sandboxes/gone');
      await mock.call('PUT /_mock/sandboxes/gone-too', { json: {} });
      await mock.call('DELETE /_mock/sandboxes');
      await control(mock, 'PUT /_mock/sandboxes/kept', { seed: 7 });
    },
    look: async (mock) => [
      await bodyOf(mock, 'GET /v1/quota'),
      await bodyOf(mock, 'GET /v1/notes'),
      await namesOf(mock),
      field(await bodyOf(mock, 'GET /~kept/_mock/info'), 'seed'),
      await mock.title('/~gone'),
    ],
    seen: [2, ['n1', 'n2'], ['kept'], 7, 'Kick-off: difference engine'],
  },
  'what new sandboxes start from': {
    act: async (mock) => {
      await control(mock, 'PUT /_mock/sandboxes/before');
      await control(mock, 'POST /_mock/reset', { seed: 5, recordings: 40 });
      await control(mock, 'POST /_mock/reset');
    },
    look: (mock) => Promise.all(['', '/~before', '/~after'].map((prefix) => bodyOf(mock, `GET ${prefix}/_mock/info`))),
    seen: [infoOf({ seed: 5 }, 40), infoOf({ seed: 1 }, 24), infoOf({ seed: 5 }, 40)],
  },
};

describe.each(stores)('%s', (name, newStore, outlives) => {
  describe.skipIf(name === 'Redis' && noRedis !== undefined)(noRedis ?? 'keeps what it acknowledged', () => {
    beforeAll(async () => {
      if (name === 'Redis') redis = await RedisServer.start();
    });
    afterAll(() => redis?.[Symbol.asyncDispose]());

    test.each(Object.entries(cases))('%s', async (_case, { act, look, seen }) => {
      const options = { ...newStore(), routes };
      const { state: stateFile } = options;
      {
        await using mock = await TestMock.start({ ...options, log: () => {} });
        if (stateFile) await expectRefusal(mock, `${stateFile}.lock`, act);
        await act(mock);
        if (!outlives) expect(await look(mock)).toEqual(seen);
        if (stateFile) {
          // As a kill would leave it now.
          cpSync(stateFile, `${stateFile}.killed`);
          await using again = await TestMock.start({ state: `${stateFile}.killed`, routes });
          expect(worldsOf(again)).toEqual(worldsOf(mock));
          expect(await look(again)).toEqual(seen);
        }
      }
      if (!outlives) return;
      // The next one, and one that starts while that one runs.
      await using again = await TestMock.start(options);
      if (name !== 'Redis') return expect(await look(again)).toEqual(seen);
      await using second = await TestMock.start(options);
      expect(await look(second)).toEqual(seen);
    });

    test('tokens stay valid, and ids continue', async () => {
      const options = newStore();
      const [ids, pats]: [string[], string[]] = [[], []];
      let token = '';
      const makeOne = async (mock: TestMock) => {
        token ||= await mock.token();
        const { body } = await mock.call('POST /v1/api-tokens', { token, json: { name: 'x' } });
        ids.push(String(field(body, 'id')));
        pats.push(String(field(body, 'token')));
        for (const one of pats) expect((await mock.call('GET /v1/api-tokens/scopes', { token: one })).status).toBe(200);
      };
      for (let round = 0; round < (outlives ? 3 : 1); round += 1) {
        await using mock = await TestMock.start(options);
        for (let made = 0; made < (outlives ? 1 : 3); made += 1) await makeOne(mock);
      }
      // The same in every store: they follow from seed and order alone.
      expect(new Set(ids).size).toBe(3);
      expect(ids.map((id) => id.slice(0, 8))).toEqual(['f17e45ba', 'e2b13203', '3a6ec93a']);
    });
  });
});
