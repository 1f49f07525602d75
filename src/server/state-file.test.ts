import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import { issueRefreshToken } from '../core/operations/tokens.ts';
import { stateOf } from '../core/world/state.ts';
import { createMock, startMock } from '../index.ts';
import { TestMock } from '../testing/client.ts';
import { runCommand } from '../testing/command.ts';
import { packageFile } from './files/package-root.ts';
import { writeInSlices } from './state-write.ts';
import { isWorldsState, worldsState } from './worlds-state.ts';

/** The names in the folder of a state file. */
const namesBeside = (stateFile: string): string[] =>
  readdirSync(join(stateFile, '..'))
    .map((name) => name.replace(/\.[0-9a-f-]{36}\.log$/, '.LOG'))
    .sort();

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
  expect(namesBeside(stateFile)).toEqual(['state.json', 'state.json.LOG', 'state.json.lock']);
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
  await (await createMock({ stateFile, seed: 1 })).close();
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

  // A limit on the size of files stands in for a full disk: the kernel refuses the write.
  test.skipIf(process.platform === 'win32')(
    'no space: the previous state is kept, and the server continues',
    async () => {
      const stateFile = newFile();
      await (await createMock({ stateFile })).close();
      const before = readFileSync(stateFile, 'utf8');
      const script = `
      import { createMock } from ${JSON.stringify(packageFile('dist', 'src', 'index.js'))};
      const mock = await createMock({ stateFile: ${JSON.stringify(stateFile)}, log: (_level, text) => console.log(text) });
      const recording = mock.world.store.recordings.get('rec_kickoff');
      mock.world.store.recordings.put({ ...recording, title: 'x'.repeat(100_000) });
      await new Promise((resolve) => setTimeout(resolve, 1000));
      try { mock.save(); } catch (error) { console.log(error.message); }
      console.log((await mock.fetch('http://mock/_mock/info')).status);`;
      const { stdout } = await promisify(execFile)('bash', [
        '-c',
        'trap "" XFSZ; ulimit -f 32; exec "$0" --input-type=module -e "$1"',
        process.execPath,
        script,
      ]);
      const told = `${stateFile}: the state cannot be saved: no space left in ${join(stateFile, '..')} (EFBIG); free some or use a file elsewhere`;
      expect(stdout.trim().split('\n')).toEqual([told, told, told, '200']);
      const withoutLog = (text: string): string => text.replace(/"log":"[^"]+"/, '"log"');
      expect(withoutLog(readFileSync(stateFile, 'utf8'))).toBe(withoutLog(before));
      expect(new Set(namesBeside(stateFile))).toEqual(new Set(['state.json', 'state.json.LOG']));
      // What was not written is lost; what was before is there.
      await (await createMock({ stateFile })).close();
      expect(namesBeside(stateFile)).toEqual(['state.json']);
    },
  );
});

test('a symbolic link to the file is kept', async () => {
  const stateFile = newFile();
  await (await createMock({ stateFile })).close();
  const link = newFile();
  symlinkSync(stateFile, link);
  const mock = await createMock({ stateFile: link });
  mock.world.clock.freeze();
  await mock.close();
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
  ['a record of another shape', (state: State) => state.tables.push({ changes: { users: { x: { id: 'x' } } } })],
  ['a table that is not there', (state: State) => Object.assign(state.images[0]?.changes ?? {}, { users: 99 })],
  ['a clock beyond all years', (state: State) => Object.assign(state.images[0]?.clock ?? {}, { offset: 1e300 })],
  ['a clock that stands before 1970', (state: State) => Object.assign(state.images[0]?.clock ?? {}, { frozenAt: -1 })],
  [
    'a snapshot of no time',
    (state: State) => Object.assign(state.main, { snapshots: { x: { image: 0, takenAt: 1e300 } } }),
  ],
  ['an image that is not there', (state: State) => Object.assign(state.main, { now: 99 })],
  [
    'an answer that is none',
    (state: State) => Object.assign(state.images[0]?.profile ?? {}, { answers: { 'error-body': 'x' } }),
  ],
])('a file with %s is refused and not changed', async (_name, spoil) => {
  const stateFile = newFile();
  await (await createMock({ stateFile })).close();
  const state = JSON.parse(readFileSync(stateFile, 'utf8')) as State;
  spoil(state);
  const text = JSON.stringify(state);
  writeFileSync(stateFile, text);
  await expect(createMock({ stateFile })).rejects.toThrow('the file was not changed');
  expect(readFileSync(stateFile, 'utf8')).toBe(text);
});

interface State {
  readonly images: readonly { readonly changes: object; readonly profile: object; readonly clock: object }[];
  readonly main: object;
  readonly tables: object[];
}

describe('two servers on one file', () => {
  const inUse = /^\S+state\.json: the state is in use by process \d+; stop it, or name another file/;

  test('the second one is refused, and the first one goes on', async () => {
    const stateFile = newFile();
    await using first = await TestMock.start({ stateFile });
    await expect(createMock({ stateFile })).rejects.toThrow(inUse);
    const link = newFile();
    symlinkSync(stateFile, link);
    await expect(createMock({ stateFile: link })).rejects.toThrow(inUse);
    const { code, stderr } = await runCommand(['serve', '--port', '0', '--state', stateFile]);
    expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
    expect(stderr).toContain(`in use by process ${process.pid}`);
    await first.update({ title: 'kept' });
    first.mock.save();
    expect(readFileSync(stateFile, 'utf8')).toContain('"kept"');
  });

  test.each([
    ['of a process that was killed', { pid: 2 ** 22 + 1, host: hostname(), since: Date.now() }],
    ['of a process of before this one that had its number', { pid: process.pid, host: hostname(), since: 0 }],
    ['of before the machine started', { pid: 1, host: hostname(), since: 0 }],
    ['that is not written yet', undefined],
    ['of another machine that stopped', { pid: 1, host: 'elsewhere', since: 0 }],
  ])('a lock that is left over is removed: %s', async (_name, holder) => {
    const stateFile = newFile();
    const lock = `${stateFile}.lock`;
    writeFileSync(lock, holder ? JSON.stringify({ id: 'x', ...holder }) : '');
    utimesSync(lock, 0, 0);
    await (await createMock({ stateFile })).close();
    expect(readdirSync(join(stateFile, '..'))).toEqual(['state.json']);
  });

  test('a lock of another machine that is refreshed holds', async () => {
    const stateFile = newFile();
    writeFileSync(`${stateFile}.lock`, JSON.stringify({ id: 'x', pid: 1, host: 'elsewhere', since: 0 }));
    await expect(createMock({ stateFile })).rejects.toThrow('in use by process 1 on elsewhere');
  });

  test('a server whose lock was taken writes no more', async () => {
    const stateFile = newFile();
    const mock = await createMock({ stateFile });
    rmSync(`${stateFile}.lock`);
    await using other = await TestMock.start({ stateFile });
    await other.update({ title: 'of the other one' });
    other.mock.save();
    expect(() => mock.save()).toThrow('another server took its lock');
    await expect(mock.close()).rejects.toThrow('another server took its lock');
    expect(readFileSync(stateFile, 'utf8')).toContain('of the other one');
  });

  test('a start that fails lets the file go', async () => {
    const stateFile = newFile();
    await using taken = await TestMock.start();
    await expect(startMock({ stateFile, port: taken.mock.port })).rejects.toThrow('is in use');
    writeFileSync(stateFile, '{');
    await expect(createMock({ stateFile })).rejects.toThrow('the file was not changed');
    rmSync(stateFile);
    await (await createMock({ stateFile })).close();
  });
});

test('what is written beside the file has a name that nobody knows, and what was left over is removed', async () => {
  const stateFile = newFile();
  const victim = newFile();
  writeFileSync(victim, 'mine');
  // Names of today and of versions before; a link among them is removed, not followed.
  symlinkSync(victim, `${stateFile}.${process.pid}.tmp`);
  writeFileSync(`${stateFile}.8e1f33c7-9b1f-4c6c-8a7c-0123456789ab.tmp`, 'half');
  writeFileSync(`${stateFile}.notes.tmp`, 'of somebody else');
  await (await createMock({ stateFile })).close();
  expect(readdirSync(join(stateFile, '..')).sort()).toEqual(['state.json', 'state.json.notes.tmp']);
  expect(readFileSync(victim, 'utf8')).toBe('mine');
});

test('a byte order mark before the state is read over', async () => {
  const stateFile = newFile();
  const mock = await createMock({ stateFile });
  mock.world.clock.freeze(0);
  await mock.close();
  writeFileSync(stateFile, `\uFEFF${readFileSync(stateFile, 'utf8')}`);
  const again = await createMock({ stateFile });
  expect(again.world.clock.now()).toBe(0);
  await again.close();
});

describe('snapshots share what they share', () => {
  const signIns = async (mock: TestMock, count: number): Promise<void> => {
    for (let at = 0; at < count; at += 1)
      issueRefreshToken(mock.world, [...mock.world.store.users.all()][at % 3] as never);
  };

  test('5,000 sign-ins and 20 snapshots are less than 3 MB, and come back as they were', async () => {
    const stateFile = newFile();
    const first = await TestMock.start({ stateFile });
    for (let at = 0; at < 20; at += 1) {
      await signIns(first, 250);
      await first.mock.control.PUT('/snapshots/{snapshot}', { params: { path: { snapshot: `s${at}` } } });
      await first.update({ title: `after ${at}` });
    }
    const imagesOf = ({ world }: TestMock) =>
      [...world.snapshots].map(([name, { image }]) => [name, stateOf(image), JSON.stringify(stateOf(image).changes)]);
    const before = [imagesOf(first), JSON.stringify(first.world)];
    await first[Symbol.asyncDispose]();
    expect(statSync(stateFile).size).toBeLessThan(3_000_000);
    const text = readFileSync(stateFile, 'utf8');
    expect(isWorldsState(JSON.parse(text))).toBe(true);

    await using second = await TestMock.start({ stateFile });
    expect([imagesOf(second), JSON.stringify(second.world)]).toEqual(before);
    expect(statSync(stateFile).size).toBe(text.length);
  });

  test('records that went, came again and changed are restored in their order', async () => {
    const stateFile = newFile();
    const first = await createMock({ stateFile });
    const { store, snapshots } = first.world;
    const put = (id: string, name = id) => store.tenants.put({ id, name, tid: id });
    const take = (name: string) => snapshots.set(name, { image: first.world.image(), takenAt: 1 });
    for (let at = 0; at < 20; at += 1) put(`t${at}`);
    take('all');
    store.tenants.delete('t3');
    put('t5', 'changed');
    put('new');
    take('some');
    store.tenants.delete('t7');
    put('t7');
    take('moved');
    store.tenants.reset();
    take('none');
    const before = [...snapshots.values()].map(({ image }) => [...image.store.tenants.changes]);
    await first.close();
    const second = await createMock({ stateFile });
    expect([...second.world.snapshots.values()].map(({ image }) => [...image.store.tenants.changes])).toEqual(before);
    await second.close();
  });

  test('saving a large state does not hold requests up', async () => {
    await using mock = await TestMock.start();
    await signIns(mock, 30_000);
    // A millisecond for each piece: what may be made between two turns of the event loop is counted, whatever the machine does.
    let made = 0;
    let longest = 0;
    const pieces = function* () {
      for (const piece of worldsState(mock.worlds)) {
        made += 1;
        longest = Math.max(longest, piece.length);
        yield piece;
      }
    };
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => made);
    let isWritten = false;
    const written = writeInSlices(newFile(), pieces(), () => true).finally(() => {
      isWritten = true;
      clock.mockRestore();
    });
    let most = 0;
    for (let before = 0; !isWritten; before = made) {
      await nextTurn();
      most = Math.max(most, made - before);
    }
    await written;
    expect(made).toBeGreaterThan(100);
    expect(most).toBeLessThan(10);
    expect(longest).toBeLessThan(100_000);
  });
});

test("at the clock's 0 tokens are issued then, and taken", async () => {
  await using mock = await TestMock.start();
  mock.world.clock.freeze(0);
  const token = await mock.token();
  expect(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())).toMatchObject({
    iat: 0,
    exp: 3600,
  });
  expect((await mock.call('GET /v1/api-tokens/scopes', { token })).status).toBe(200);
});
