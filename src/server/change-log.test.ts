import { appendFileSync, cpSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createMock } from '../index.ts';
import { TestMock } from '../testing/client.ts';

const newFile = () => join(mkdtempSync(join(tmpdir(), 'change-log-')), 'state.json');

describe('what was acknowledged survives a kill', () => {
  /** A copy of what is on the disk now, as a kill would leave it. */
  function killed(stateFile: string): string {
    const copy = newFile();
    for (const name of readdirSync(join(stateFile, '..')))
      if (!name.endsWith('.lock')) cpSync(join(stateFile, '..', name), join(copy, '..', name));
    return copy;
  }

  interface Case {
    readonly act: (mock: TestMock, token: string) => Promise<unknown>;
    readonly look: (mock: TestMock) => Promise<unknown>;
    readonly seen: unknown;
  }

  const control = (mock: TestMock, line: string, json?: unknown) => mock.call(line, json === undefined ? {} : { json });
  const bodyOf = async (mock: TestMock, line: string) => (await mock.call(line)).body;
  const titleAt = (prefix: string) => async (mock: TestMock) =>
    ((await bodyOf(mock, `GET ${prefix}/_mock/state/recordings/rec_kickoff`)) as { title: string }).title;

  test.each<[string, Case]>([
    ['an update', { act: (mock) => mock.update({ title: 'kept' }), look: titleAt(''), seen: 'kept' }],
    [
      'a sandbox that a request made, and what it changed',
      {
        act: (mock) => control(mock, 'PATCH /~one/_mock/state/recordings/rec_kickoff', { title: 'of one' }),
        look: titleAt('/~one'),
        seen: 'of one',
      },
    ],
    [
      'a deleted record',
      {
        act: (mock) => control(mock, 'DELETE /_mock/state/recordings/rec_kickoff'),
        look: async (mock) => (await mock.call('GET /_mock/state/recordings/rec_kickoff')).status,
        seen: 404,
      },
    ],
    [
      'a reset, and what came after it',
      {
        act: async (mock) => {
          await mock.update({ title: 'before' });
          await control(mock, 'POST /_mock/reset', {});
          await control(mock, 'PATCH /_mock/state/recordings/rec_weekly', { title: 'after' });
        },
        look: async (mock) => [
          await titleAt('')(mock),
          ((await bodyOf(mock, 'GET /_mock/state/recordings/rec_weekly')) as { title: string }).title,
        ],
        seen: ['Kick-off: difference engine', 'after'],
      },
    ],
    [
      'the clock, a fault, a route of yours and how often it answered',
      {
        act: async (mock) => {
          await control(mock, 'POST /_mock/clock/freeze', { at: '2030-01-01T00:00:00.000Z' });
          await control(mock, 'PUT /_mock/faults/latency', {});
          await control(mock, 'POST /_mock/routes', { path: '/v1/quota', answers: [{ body: 1 }, { body: 2 }] });
          await mock.call('GET /v1/quota');
        },
        look: async (mock) => {
          const info = (await bodyOf(mock, 'GET /_mock/info')) as { time: string; faults: string[] };
          return [info.time, info.faults, await bodyOf(mock, 'GET /v1/quota')];
        },
        seen: ['2030-01-01T00:00:00.000Z', ['latency'], 2],
      },
    ],
    [
      'a snapshot, a profile, and a sandbox that is gone',
      {
        act: async (mock) => {
          await control(mock, 'PUT /_mock/snapshots/one', {});
          await control(mock, 'PUT /_mock/sandboxes/gone', {});
          await control(mock, 'DELETE /_mock/sandboxes/gone');
          await control(mock, 'PATCH /_mock/profile', { answers: { 'forbidden-status': 401 } });
          await mock.update({ title: 'after the profile' });
        },
        look: async (mock) => {
          return [
            [...mock.mock.world.snapshots.keys()],
            [...mock.mock.worlds.named()].map(([name]) => name),
            mock.mock.world.answers.get('forbidden-status'),
            await titleAt('')(mock),
          ];
        },
        seen: [['one'], [], 401, 'after the profile'],
      },
    ],
  ])('%s', async (_name, { act, look, seen }) => {
    const stateFile = newFile();
    await using mock = await TestMock.start({ stateFile });
    await act(mock, await mock.token());
    const copy = killed(stateFile);
    expect(await look(mock)).toEqual(seen);
    await using again = await TestMock.start({ stateFile: copy });
    expect(await look(again)).toEqual(seen);
  });

  test('credentials, and the counters that new ones are made from', async () => {
    const stateFile = newFile();
    await using mock = await TestMock.start({ stateFile });
    const token = await mock.token();
    const make = async (at: TestMock) =>
      (await at.call('POST /v1/api-tokens', { token, json: { name: 'x' } })).body as { id: string; token: string };
    const made = await make(mock);
    await using again = await TestMock.start({ stateFile: killed(stateFile) });
    expect((await again.call('GET /v1/api-tokens/scopes', { token: made.token })).status).toBe(200);
    const next = await make(again);
    expect(next.id).toBe((await make(mock)).id);
    expect(next.id).not.toBe(made.id);
  });

  test('what was changed while the state was being saved, and after it', async () => {
    const stateFile = newFile();
    await using mock = await TestMock.start({ stateFile });
    for (let change = 1; change <= 3; change += 1) {
      await mock.update({ title: `change ${change}` });
      // The state that is saved then is continued by another log.
      if (change === 2) mock.mock.save();
      await using again = await TestMock.start({ stateFile: killed(stateFile) });
      expect(await titleAt('')(again)).toBe(`change ${change}`);
    }
  });

  test('half a line, which no answer waited for, is left out; an unreadable one is told', async () => {
    const stateFile = newFile();
    await using mock = await TestMock.start({ stateFile });
    await mock.update({ title: 'kept' });
    const logIn = (file: string): string => {
      const name = readdirSync(join(file, '..')).find((each) => each.endsWith('.log')) ?? '';
      return join(file, '..', name);
    };
    const [half, wrong] = [killed(stateFile), killed(stateFile)];
    appendFileSync(logIn(half), '[{"world":"","change":{"tab');
    appendFileSync(logIn(wrong), 'not JSON\n');
    await using again = await TestMock.start({ stateFile: half });
    expect(await titleAt('')(again)).toBe('kept');
    await expect(createMock({ stateFile: wrong })).rejects.toThrow(/the state cannot be restored: .*not JSON/);
  });

  test('what code of the process did without a request, and requests after it', async () => {
    const stateFile = newFile();
    await using mock = await TestMock.start({ stateFile });
    const { worlds } = mock.mock;
    // No answer acknowledges it: it is saved with the next one, before what that one changed.
    worlds.make('made', worlds.make('other', worlds.main.image()).image());
    await control(mock, 'PATCH /~made/_mock/state/recordings/rec_kickoff', { title: 'of made' });
    await using again = await TestMock.start({ stateFile: killed(stateFile) });
    expect(await titleAt('/~made')(again)).toBe('of made');
  });

  test('under another profile, what was logged has its words', async () => {
    const stateFile = newFile();
    await using mock = await TestMock.start({ stateFile });
    await control(mock, 'PATCH /_mock/state/recordings/rec_kickoff', { title: 'kept' });
    const profile = { answers: { 'method-values': ['datei', 'mikrofon', 'treffen'] } };
    await using again = await TestMock.start({ stateFile: killed(stateFile), profile });
    const recording = await bodyOf(again, 'GET /_mock/state/recordings/rec_kickoff');
    expect(recording).toMatchObject({ title: 'kept', method: expect.stringMatching(/^(datei|mikrofon|treffen)$/) });
  });
});
