import { expect, test } from 'vitest';
import type { SandboxOptions } from '../doors/connect.ts';
import { defineRoutes } from '../index.ts';
import { field, TestMock } from '../testing/client.ts';

// Their cost with 100,000 recordings: bench/parts.ts.

const notes = defineRoutes({
  routes: [
    { path: '/v1/steps', answers: [{ body: 'one' }, { body: 'two' }, { body: 'three' }] },
    { method: 'POST', path: '/v1/notes', answer: ({ world }) => ({ body: world.table('notes').create({}) }) },
  ],
  tables: { notes: [{ id: 'n1', text: 'first' }] },
});

test('a snapshot restores records, ids, clock, faults, profile, routes and tables, repeatedly; a reset forgets them', async () => {
  await using mock = await TestMock.withoutPort({ routes: [notes] });
  const { control, call, mint, name } = await mock.sandbox();
  const state = () => JSON.stringify(mock.worlds.sandbox(name));
  const initial = state();
  const params = { path: { snapshot: 'ready' } };
  const restore = () => control.POST('/reset', { body: { from: { snapshot: 'ready' } } });
  const use = async (title: string) => {
    await mint();
    await mock.rename(title, `/~${name}`);
    const seen = [await call('GET /v1/steps'), await call('POST /v1/notes')];
    return seen.map(({ body }) => field(body, 'id') ?? body);
  };
  await control.PATCH('/clock', { body: { frozen: true, at: '2030-01-01T00:00:00.000Z' } });
  await control.PUT('/faults/{fault}', { params: { path: { fault: 'title-truncated' } } });
  await control.POST('/routes', { body: { path: '/v1/extra' } });
  const [first] = await use('before');
  await control.PUT('/snapshots/{snapshot}', { params });
  const before = state();
  const seen: unknown[] = [];
  for (const title of ['one', 'two']) {
    await control.PATCH('/profile', { body: { answers: { 'error-body': 'problem' } } });
    await control.DELETE('/faults/{fault}', { params: { path: { fault: 'all' } } });
    await control.DELETE('/routes/{route}', { params: { path: { route: 'all' } } });
    await control.PATCH('/clock', { body: { frozen: false, machine: true } });
    seen.push(await use(title));
    expect([await mock.title(`/~${name}`), (await call('GET /v1/extra')).status]).toEqual([title, 404]);
    await restore();
    expect(state()).toBe(before);
  }
  expect([first, seen[0]]).toEqual(['one', ['two', expect.any(String)]]);
  expect(seen[1]).toEqual(seen[0]);
  expect((await control.GET('/info')).data.snapshots).toMatchObject([{ name: 'ready' }]);
  await control.DELETE('/snapshots/{snapshot}', { params });
  await expect(restore()).rejects.toThrow('this world has none');
  await control.POST('/reset', { body: {} });
  expect(state()).toBe(initial);
});

// With a profile, a seed and records: store.test.ts; with faults: firing.test.ts.
test('a sandbox is created as a fork', async () => {
  await using mock = await TestMock.withoutPort();
  await mock.rename('in main');
  await mock.mock.control.PUT('/snapshots/{snapshot}', { params: { path: { snapshot: 'ready' } } });
  await mock.rename('later');
  await mock.mock.control.POST('/routes', { body: { path: '/v1/extra' } });

  await mock.mock.sandbox('fork', { from: { sandbox: 'main' } });
  await mock.mock.sandbox('old', { from: { snapshot: 'ready' } });
  await mock.mock.sandbox('fork-of-fork', { from: { sandbox: 'old' }, profile: 'rfc9457' });
  for (const [box, title, status] of [
    ['fork', 'later', 204],
    ['old', 'in main', 404],
    ['fork-of-fork', 'in main', 404],
  ])
    expect([await mock.title(`/~${box}`), (await mock.call(`GET /~${box}/v1/extra`)).status]).toEqual([title, status]);
  await mock.rename('changed', '/~old');
  await mock.call('POST /~old/_mock/reset');
  expect(await mock.title('/~old')).toBe('in main');
  expect(await mock.title('/~fork-of-fork')).toBe('in main');
  await mock.call('POST /~old/_mock/reset', { json: { from: { sandbox: 'fork' } } });
  expect(await mock.title('/~old')).toBe('later');
  const both = await mock.call('POST /~old/_mock/reset', { json: { keep: ['clock'], seed: 7 } });
  expect(both).toMatchObject({ status: 400, body: { error: { details: [{ field: 'keep' }] } } });

  const made = (options: SandboxOptions, name = 'x') => expect(mock.mock.sandbox(name, options)).rejects;
  await mock.mock.sandbox('main');
  await made({ from: { sandbox: 'main' } }).toThrow('from.sandbox: names the main world and a sandbox');
  await mock.mock.control.DELETE('/sandboxes/{sandbox}', { params: { path: { sandbox: 'main' } } });
  await made({ from: { sandbox: 'none' } }).toThrow('There is no sandbox none');
  await made({ from: { snapshot: 'none' } }).toThrow('this world has ready');
  await made({ from: { sandbox: 'main' }, seed: 2 }).toThrow('seed: cannot be combined with');
  await made({ faults: ['none'] }).toThrow('there is no fault none');
  await made({}, 'no good').toThrow('sandbox: is not in the allowed format');
});

test('sandboxes are listed, deleted, and limited with a clear error', async () => {
  await using mock = await TestMock.withoutPort({ sandboxes: 2 });
  await mock.mock.sandbox('one');
  await mock.call('GET /~two/_mock/info');
  await expect(mock.mock.sandbox('three')).rejects.toThrow('The maximum number of sandboxes (2) is reached');
  const refused = await mock.call('POST /~three/v1/auth/sso', { json: {} });
  expect(refused.status).toBe(404);
  expect(JSON.stringify(refused.body)).toContain('DELETE /_mock/sandboxes/NAME makes room');
  const sandboxes = [{ name: 'one' }, { name: 'two' }];
  expect((await mock.mock.control.GET('/sandboxes')).data).toMatchObject({ limit: 2, total: 2, sandboxes });
  const page = await mock.mock.control.GET('/sandboxes', { params: { query: { limit: 1 } } });
  expect(page.data).toMatchObject({ next: 'one', sandboxes: [{ name: 'one' }] });
  const rest = await mock.mock.control.GET('/sandboxes', { params: { query: { after: 'one' } } });
  expect([rest.data.next, rest.data.sandboxes]).toEqual([undefined, [expect.objectContaining({ name: 'two' })]]);
  await mock.mock.control.DELETE('/sandboxes/{sandbox}', { params: { path: { sandbox: 'one' } } });
  await mock.mock.sandbox('three');
  await mock.mock.control.DELETE('/sandboxes');
  expect((await mock.mock.control.GET('/sandboxes')).data.sandboxes).toEqual([]);
});

test('a sandbox that somebody else deleted is disposed of without an error', async () => {
  await using mock = await TestMock.withoutPort();
  const world = await mock.mock.sandbox('gone');
  await mock.mock.control.DELETE('/sandboxes');
  await expect(world[Symbol.asyncDispose]()).resolves.toBeUndefined();
});
