import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createMock } from '../index.ts';
import { TestMock } from '../testing/client.ts';

const newFile = () => join(mkdtempSync(join(tmpdir(), 'state-')), 'state.json');

test('changes and tokens survive a restart', async () => {
  const stateFile = newFile();
  const first = await TestMock.start({ stateFile });
  const token = await first.token();
  await first.update({ title: 'kept' });
  const pat = (await first.call('POST /v1/api-tokens', { token, json: { name: 'x' } })).body as { token: string };
  await first[Symbol.asyncDispose]();

  await using second = await TestMock.start({ stateFile });
  const seen = await second.call('PATCH /v1/echo/recordings/rec_kickoff', { token: pat.token, json: {} });
  expect(seen.body).toMatchObject({ title: 'kept' });
  expect((await second.call('GET /v1/api-tokens/scopes', { token })).status).toBe(200);
  expect(readFileSync(stateFile, 'utf8')).not.toContain(pat.token.split('.')[1]);
  expect(readdirSync(join(stateFile, '..'))).toEqual(['state.json']);
});

test.each(['', '{', '[]', '{"schemaVersion":99}', '{"schemaVersion":1,"seed":1}'])(
  'a broken file (%j) is refused and left as it is',
  async (text) => {
    const stateFile = newFile();
    writeFileSync(stateFile, text);
    await expect(createMock({ stateFile })).rejects.toThrow('the file was not changed');
    expect(readFileSync(stateFile, 'utf8')).toBe(text);
  },
);

test('a file of another seed is refused', async () => {
  const stateFile = newFile();
  (await createMock({ stateFile, seed: 1 })).save();
  await expect(createMock({ stateFile, seed: 2 })).rejects.toThrow('the state belongs to seed 1, not to 2');
});

test('invalid JSON of several lines is reported in one line', async () => {
  const stateFile = newFile();
  writeFileSync(stateFile, '{ "a": 1,\n  "b": x\n}\n');
  const refused = createMock({ stateFile });
  await expect(refused).rejects.toThrow(/^\S+state\.json: the state cannot be read: .*JSON; .*move it away/);
  await expect(refused).rejects.not.toThrow(/\n/);
});

describe('an unusable path is refused at start, with a remedy', () => {
  test('a folder that does not exist', async () => {
    await expect(createMock({ stateFile: '/no/such/folder/state.json' })).rejects.toThrow(
      '/no/such/folder/state.json: the state cannot be saved: there is no folder /no/such/folder (ENOENT); create it or use another file',
    );
  });

  test('a folder that is a file', async () => {
    const file = newFile();
    writeFileSync(file, 'mine');
    await expect(createMock({ stateFile: join(file, 'state.json') })).rejects.toThrow(
      `the state cannot be saved: there is no folder ${file} (ENOTDIR)`,
    );
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  test('a folder instead of a file', async () => {
    const folder = join(newFile(), '..');
    await expect(createMock({ stateFile: folder })).rejects.toThrow(
      `${folder}: this is a folder; the state needs a file`,
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  // root can write anywhere.
  test.skipIf(process.getuid?.() === 0)('a folder that is not writable', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'state-'));
    chmodSync(folder, 0o555);
    await expect(createMock({ stateFile: join(folder, 'state.json') })).rejects.toThrow(
      `the state cannot be saved: the folder ${folder} is not writable (EACCES); change its permissions or use another file`,
    );
  });

  // Reading a device may never end, and renaming a file onto it replaces it.
  test.skipIf(!existsSync('/dev/full'))('a device', async () => {
    await expect(createMock({ stateFile: '/dev/full' })).rejects.toThrow('/dev/full: this is not a regular file');
    expect(lstatSync('/dev/full').isCharacterDevice()).toBe(true);
  });

  test.skipIf(!existsSync('/dev/full'))('a full disk: the previous state is kept', async () => {
    const stateFile = newFile();
    const mock = await createMock({ stateFile });
    const before = readFileSync(stateFile, 'utf8');
    // The temporary file is a link to a device without space.
    const fill = () => symlinkSync('/dev/full', `${stateFile}.${process.pid}.tmp`);
    const message = `${stateFile}: the state cannot be saved: no space left in ${join(stateFile, '..')} (ENOSPC); free some`;
    fill();
    expect(() => mock.save()).toThrow(message);
    fill();
    await expect(createMock({ stateFile })).rejects.toThrow(message);
    expect(readFileSync(stateFile, 'utf8')).toBe(before);
    expect(readdirSync(join(stateFile, '..'))).toEqual(['state.json']);
  });
});

test('a symbolic link to the file is kept', async () => {
  const stateFile = newFile();
  (await createMock({ stateFile })).save();
  const link = newFile();
  symlinkSync(stateFile, link);
  const mock = await createMock({ stateFile: link });
  mock.world.clock.freeze();
  mock.save();
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect((await createMock({ stateFile })).world.clock.isFrozen).toBe(true);
});

test('sandboxes and snapshots survive a restart: clock, faults, profile, seed, revoked tokens and origin', async () => {
  const stateFile = newFile();
  const first = await TestMock.start({ stateFile });
  const { control, baseUrl } = await first.mock.sandbox('kept', { profile: 'rfc9457', seed: 7, recordings: 12 });
  const edit = (title: string) =>
    control.PATCH('/state/{resource}/{record}', {
      params: { path: { resource: 'recordings', record: 'rec_kickoff' } },
      body: { title },
    });
  await edit('in the snapshot');
  await control.PUT('/snapshots/{snapshot}', { params: { path: { snapshot: 'ready' } } });
  await control.PATCH('/profile', { body: { answers: { 'validation-status': 422, 'method-values': ['by-phone'] } } });
  await control.POST('/clock/freeze', { body: { at: '2030-01-01T00:00:00.000Z' } });
  await control.PUT('/faults/{fault}', { params: { path: { fault: 'title-truncated' } }, body: { times: 3 } });
  await control.POST('/recordings/{record}/process', {
    params: { path: { record: 'rec_weekly' } },
    body: { afterSeconds: 60 },
  });
  const token = (await control.POST('/tokens', { body: { user: 'usr_ada' } })).data?.token ?? '';
  await control.POST('/tokens/expire', { body: { token } });
  await edit('later');
  const before = JSON.stringify(first.worlds.sandbox('kept'));
  await first[Symbol.asyncDispose]();

  await using second = await TestMock.start({ stateFile });
  expect(baseUrl).toContain('/~kept');
  const world = second.worlds.sandbox('kept');
  expect(JSON.stringify(world)).toBe(before);
  const call = (line: string, json?: object) => second.call(line, json && { json });
  expect((await call('GET /~kept/_mock/info')).body).toMatchObject({
    seed: 7,
    counts: { recordings: 12 },
    frozen: true,
  });
  expect((await second.call('GET /~kept/v1/admin/tenants/ten_analytical/api-keys', { token })).status).toBe(401);
  await call('POST /~kept/_mock/clock/advance', { seconds: 61 });
  expect((await call('GET /~kept/_mock/state/recordings/rec_weekly')).body).toMatchObject({
    status: 'completed',
    method: 'by-phone',
  });
  await call('POST /~kept/_mock/snapshots/ready/restore');
  expect((await call('GET /~kept/_mock/state/recordings/rec_kickoff')).body).toMatchObject({
    title: 'in the snapshot',
  });
  await call('POST /~kept/_mock/reset');
  expect((await call('GET /~kept/_mock/info')).body).toMatchObject({ profile: 'rfc9457', frozen: false, faults: [] });
});

test('options of the command line apply unless they were changed at run time', async () => {
  const stateFile = newFile();
  const first = await TestMock.start({ stateFile, faults: ['title-truncated'] });
  await first.update({ title: 'kept' });
  await first[Symbol.asyncDispose]();
  await using second = await TestMock.start({
    stateFile,
    profile: { answers: { 'method-values': ['by-phone'] } },
    recordings: 40,
    faults: ['update-flips-status'],
  });
  const { body } = await second.call('GET /_mock/info');
  expect(body).toMatchObject({ faults: ['update-flips-status'], counts: { recordings: 40 } });
  expect((await second.update({})).body).toMatchObject({ title: 'kept', method: 'by-phone' });
});

test.each([
  [
    'a record of another shape',
    (state: State) => Object.assign(state.images[0]?.changes ?? {}, { users: { x: { id: 'x' } } }),
  ],
  ['an image that is not there', (state: State) => Object.assign(state.main, { now: 99 })],
  [
    'an answer that is none',
    (state: State) => Object.assign(state.images[0]?.profile ?? {}, { answers: { 'error-body': 'x' } }),
  ],
])('a file with %s is refused and not changed', async (_name, spoil) => {
  const stateFile = newFile();
  (await createMock({ stateFile })).save();
  const state = JSON.parse(readFileSync(stateFile, 'utf8')) as State;
  spoil(state);
  const text = JSON.stringify(state);
  writeFileSync(stateFile, text);
  await expect(createMock({ stateFile })).rejects.toThrow('the file was not changed');
  expect(readFileSync(stateFile, 'utf8')).toBe(text);
});

interface State {
  readonly images: readonly { readonly changes: object; readonly profile: object }[];
  readonly main: object;
}
