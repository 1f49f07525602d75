import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { testFolder } from '../../contract-tests/testing/folder.ts';
import { issueRefreshToken } from '../core/operations/tokens.ts';
import type { Recording } from '../core/world/records.ts';
import { stateOf } from '../core/world/state.ts';
import { createMock, type RunningMock, startMock } from '../index.ts';
import { field, TestMock } from '../testing/client.ts';
import { beginUpdate } from '../testing/raw-client.ts';
import { fileWith } from '../testing/refused.ts';

const newFile = (): string => join(testFolder(), 'state.json');
const stateWith = (text: string): string => fileWith(text, 'state.json');

function killed(stateFile: string): string {
  const copy = newFile();
  fs.cpSync(stateFile, copy);
  return copy;
}

/** A test of a mock that keeps its worlds in a new file. */
const testOnFile = (name: string, steps: (stateFile: string, mock: TestMock<RunningMock>) => Promise<void>): void =>
  test(name, async () => {
    const stateFile = newFile();
    await using mock = await TestMock.start({ state: stateFile, log: () => {} });
    await steps(stateFile, mock);
  });

/** As the kernel does it: half of the next line is written, and then nothing, until the returned function is called. */
function fillDisk(): () => void {
  const { writeSync } = fs;
  let isFull = false;
  const writeHalf = (file: number, bytes: Buffer, at: number, length: number, to: number) => {
    if (isFull) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    isFull = true;
    return writeSync(file, bytes, at, Math.ceil(length / 2), to);
  };
  vi.spyOn(fs, 'writeSync').mockImplementation(writeHalf as typeof writeSync);
  syncBuiltinESMExports();
  return () => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  };
}

const record = '_mock/state/recordings/rec_kickoff';

test.each([
  ['an empty file', ''],
  ['JSON', '{\n "a": 1\n}\n'],
  ['a line of something else', '0123abcd {}\n'],
  ['a state of another version', '{"schemaVersion":3,"seed":1,"main":{"origin":0,"now":0,"snapshots":{}}}'],
])('%s is refused in one line and left as it is', async (_name, text) => {
  const stateFile = stateWith(text);
  await expect(createMock({ state: stateFile })).rejects.toThrow(
    `${stateFile}: this is not a state of this version of platform-mock; the file was not changed: repair it, or move it away to start with a new state`,
  );
  expect(fs.readFileSync(stateFile, 'utf8')).toBe(text);
});

describe('lines', () => {
  testOnFile('half a line is left out; a changed one, or a lack of worlds, is refused', async (stateFile, mock) => {
    await mock.mock.sandbox('made');
    await mock.rename('kept');
    const whole = fs.readFileSync(stateFile);
    expect(await mock.rename('last')).toBe(200);
    const all = fs.readFileSync(stateFile);
    const copy = newFile();
    for (let end = whole.length; end <= all.length; end += end < all.length - 1 ? 7 : 1) {
      fs.writeFileSync(copy, all.subarray(0, end));
      const again = await createMock({ state: copy });
      expect(again.world.store.recordings.get('rec_kickoff')?.title).toBe(end === all.length ? 'last' : 'kept');
      await again.close();
    }
    fs.writeFileSync(copy, all.toString().replace('"kept"', '"bent"'));
    await expect(createMock({ state: copy })).rejects.toThrow(/line \d+ is not as it was written; the file was not/);
    fs.writeFileSync(copy, whole.subarray(0, whole.indexOf('\n') + 100));
    await expect(createMock({ state: copy })).rejects.toThrow('its end is missing');
  });

  test('a clock beyond all years is refused', async () => {
    const stateFile = newFile();
    await (await createMock({ state: stateFile })).close();
    const lines = fs.readFileSync(stateFile, 'utf8').replace('"offset":0', '"offset":1e300').trim().split('\n');
    const sums = lines.map((line) => crc32(line.slice(9)).toString(16).padStart(8, '0'));
    fs.writeFileSync(stateFile, lines.map((line, at) => `${sums[at]}${line.slice(8)}\n`).join(''));
    await expect(createMock({ state: stateFile })).rejects.toThrow('the clock must be between 1970 and 2999');
  });

  testOnFile('a file that has become long is rewritten while it is in use', async (stateFile, mock) => {
    const { recordings } = mock.world.store;
    const recording = recordings.get('rec_kickoff') as Recording;
    for (let at = 1; at <= 5; at += 1) {
      recordings.put({ ...recording, title: `t${at}`, summary: `${at}`.repeat(15_000_000) });
      mock.mock.save();
    }
    expect(fs.statSync(stateFile).size).toBeGreaterThan(64 * 1024 * 1024);
    await expect.poll(() => fs.statSync(stateFile).size).toBeLessThan(16_000_000);
    await mock.rename('after it');
    await using again = await TestMock.start({ state: killed(stateFile) });
    expect(await again.title()).toBe('after it');
  });

  testOnFile('what code of the process did without a request, and requests after it', async (stateFile, mock) => {
    const { worlds } = mock.mock;
    worlds.make('made', worlds.make('other', worlds.main.image()).image());
    await mock.rename('of made', '/~made');
    await using again = await TestMock.start({ state: killed(stateFile) });
    expect(await again.title('/~made')).toBe('of made');
    worlds.make('alone', worlds.main.origin);
    await expect.poll(() => fs.readFileSync(stateFile, 'utf8')).toContain('"alone"');
  });

  testOnFile('a request of a sandbox that was deleted changes nothing of its successor', async (stateFile, mock) => {
    const token = await mock.token();
    const finish = beginUpdate(`${mock.mock.baseUrl}/~s`, token, 'of the old one');
    await expect.poll(() => mock.worlds.find('s')?.journal.total).toBe(1);
    await mock.call('DELETE /_mock/sandboxes/s');
    await mock.call('PUT /_mock/sandboxes/s');
    await finish();
    await using again = await TestMock.start({ state: killed(stateFile) });
    for (const each of [mock, again]) expect(await each.title('/~s')).toBe('Kick-off: difference engine');
  });
});

describe('what cannot be written is taken back and answered with 503', () => {
  test('on a disk that is full, until there is room again', async () => {
    const stateFile = newFile();
    const logged: string[] = [];
    await using mock = await TestMock.start({ state: stateFile, log: (_level, text) => logged.push(text) });
    expect(await mock.rename('kept')).toBe(200);
    const makeRoom = fillDisk();
    const why = 'the state cannot be saved: no space is left: free some, or use a file elsewhere (ENOSPC)';
    for (const prefix of ['', '/~made']) {
      const { status, text, headers } = await mock.call(`PATCH ${prefix}/${record}`, { json: { title: 'lost' } });
      expect([status, headers.get('retry-after')]).toEqual([503, '1']);
      expect(text).toContain(`${why}; nothing was changed`);
    }
    // Reads still work.
    expect([await mock.title(), mock.worlds.count]).toEqual(['kept', 0]);
    const ready = await mock.call('GET /_mock/health/ready');
    expect([ready.status, ready.body]).toMatchObject([503, { error: { message: `Not ready: ${why}.` } }]);
    // A timer of the process, not a request.
    mock.world.store.tenants.put({ id: 'x', name: 'x', tid: 'x' });
    expect(() => mock.mock.save()).toThrow(`${stateFile}: ${why}`);
    expect(mock.world.store.tenants.changeCount).toBe(0);

    makeRoom();
    expect((await mock.call('GET /_mock/health/ready')).status).toBe(200);
    expect(await mock.rename('kept again')).toBe(200);
    expect(logged).toEqual([`${stateFile}: ${why}`, `${stateFile}: the state can be saved again`]);
    await using again = await TestMock.start({ state: killed(stateFile) });
    expect([await again.title(), again.worlds.count]).toEqual(['kept again', 0]);
  });

  testOnFile('where the file was cut off; one that was removed is rewritten', async (stateFile, mock) => {
    await mock.rename('kept');
    fs.writeFileSync(stateFile, '');
    // The state to go back to is missing.
    const message = expect.stringContaining('the file was changed from outside; it may have been carried out');
    const seen = await mock.call(`PATCH /${record}`, { json: { title: 'lost' } });
    expect(seen).toMatchObject({ status: 503, body: { error: { message } } });
    fs.rmSync(stateFile);
    expect(await mock.rename('again')).toBe(200);
    await using again = await TestMock.start({ state: killed(stateFile) });
    expect(await again.title()).toBe('again');
  });

  testOnFile('the journal shows it; no other request tells what is taken back', async (stateFile, mock) => {
    const token = await mock.token();
    fs.renameSync(`${stateFile}.lock`, `${stateFile}.aside`);
    const line = 'PATCH /v1/echo/recordings/rec_kickoff';
    const seen = await Promise.all(
      Array.from({ length: 40 }, (_, at) => mock.call(line, { token, json: at % 2 ? { title: 'lost' } : {} })),
    );
    for (const { status, body } of seen) {
      expect([200, 503]).toContain(status);
      expect(JSON.stringify(body)).not.toContain('lost"');
    }
    const { body } = await mock.call('GET /_mock/journal?limit=50');
    const entries = field(body, 'entries') as { response: { status: number }; trace: { changes: unknown[] } }[];
    const refused = entries.filter(({ response }) => response?.status === 503);
    expect(refused.length).toBe(seen.filter(({ status }) => status === 503).length);
    expect(refused.flatMap(({ trace }) => trace.changes)).toEqual([]);
    fs.renameSync(`${stateFile}.aside`, `${stateFile}.lock`);
    expect((await mock.call(line, { token, json: { title: 'kept' } })).status).toBe(200);
  });
});

const mine = stateWith('mine');
const readOnly = testFolder();
fs.chmodSync(readOnly, 0o555);
const remedy = /its folder does not exist: create it, or use another file/;

test.for<[name: string, stateFile: string, message: RegExp, isPossible: boolean]>([
  ['a folder that does not exist', '/no/such/folder/state.json', remedy, true],
  ['a folder that is a file', join(mine, 'state.json'), remedy, true],
  ['a folder instead of a file', dirname(mine), /this is a folder; the state needs a file/, true],
  // root can write anywhere.
  ['a read-only folder', join(readOnly, 'state.json'), /is not writable: .*EACCES/, process.getuid?.() !== 0],
  // Reading a device may never end, and renaming a file onto it replaces it.
  ['a device', '/dev/full', /this is not a regular file/, fs.existsSync('/dev/full')],
])('%s is refused at the start, with a remedy', async ([name, stateFile, message, isPossible], { skip }) => {
  skip(!isPossible, 'not here');
  await expect(createMock({ state: stateFile })).rejects.toThrow(message);
  expect([fs.readdirSync(dirname(mine)), fs.readFileSync(mine, 'utf8')]).toEqual([['state.json'], 'mine']);
  if (name === 'a device') expect(fs.lstatSync(stateFile).isCharacterDevice()).toBe(true);
});

test('a symbolic link to the file is kept; one in the place of a file that was left over is removed, not followed', async () => {
  const [stateFile, link, victim] = [newFile(), newFile(), stateWith('mine')];
  fs.symlinkSync(victim, `${stateFile}.tmp`);
  await (await createMock({ state: stateFile })).close();
  expect([fs.readdirSync(dirname(stateFile)), fs.readFileSync(victim, 'utf8')]).toEqual([['state.json'], 'mine']);
  fs.symlinkSync(stateFile, link);
  const mock = await createMock({ state: link });
  mock.world.clock.freeze();
  await mock.close();
  expect(fs.lstatSync(link).isSymbolicLink()).toBe(true);
  expect((await createMock({ state: stateFile })).world.clock.isFrozen).toBe(true);
});

test('options of the command line apply unless they were changed at run time', async () => {
  const stateFile = newFile();
  const first = await TestMock.start({ state: stateFile, faults: ['title-truncated'] });
  await first.update({ title: 'kept' });
  await first[Symbol.asyncDispose]();
  const profile = { answers: { 'method-values': ['by-phone'] } };
  const faults = ['update-flips-status'];
  await using second = await TestMock.start({ state: stateFile, profile, recordings: 40, faults });
  const { body } = await second.call('GET /_mock/info');
  expect(body).toMatchObject({ faults: ['update-flips-status'], counts: { recordings: 40 } });
  expect((await second.update({})).body).toMatchObject({ title: 'kept', method: 'by-phone' });
});

describe('two servers on one file', () => {
  const inUse = `state.json: the state is in use by process ${process.pid}; stop it, or name another file`;

  testOnFile('the second one is refused, and the first one goes on', async (stateFile, first) => {
    await expect(createMock({ state: stateFile })).rejects.toThrow(inUse);
    const link = newFile();
    fs.symlinkSync(stateFile, link);
    await expect(createMock({ state: link })).rejects.toThrow(inUse);
    await first.update({ title: 'kept' });
    first.mock.save();
    expect(fs.readFileSync(stateFile, 'utf8')).toContain('"kept"');
  });

  const elsewhere = { pid: 1, host: 'elsewhere', since: 0 };
  test.each([
    ['of a process that was killed', { pid: 2 ** 22 + 1, host: hostname(), since: Date.now() }],
    ['of a process of before this one that had its number', { pid: process.pid, host: hostname(), since: 0 }],
    ['of before the machine started', { pid: 1, host: hostname(), since: 0 }],
    ['that is not written yet', undefined],
    ['of another machine that stopped', elsewhere],
  ])('a lock that is left over is removed: %s', async (_name, holder) => {
    const stateFile = newFile();
    const lock = `${stateFile}.lock`;
    fs.writeFileSync(lock, holder ? JSON.stringify({ id: 'x', ...holder }) : '');
    if (holder === elsewhere) await expect(createMock({ state: stateFile })).rejects.toThrow('process 1 on elsewhere');
    fs.utimesSync(lock, 0, 0);
    await (await createMock({ state: stateFile })).close();
    expect(fs.readdirSync(dirname(stateFile))).toEqual(['state.json']);
  });

  test('a server whose lock was taken writes no more', async () => {
    const stateFile = newFile();
    const mock = await createMock({ state: stateFile });
    fs.rmSync(`${stateFile}.lock`);
    await using other = await TestMock.start({ state: stateFile });
    await other.update({ title: 'of the other one' });
    other.mock.save();
    expect(() => mock.save()).toThrow('its lock was removed, or another server took it');
    await expect(mock.close()).rejects.toThrow('its lock was removed, or another server took it');
    expect(fs.readFileSync(stateFile, 'utf8')).toContain('of the other one');
  });

  test('a start that fails lets the file go', async () => {
    const stateFile = newFile();
    await using taken = await TestMock.start();
    await expect(startMock({ state: stateFile, port: taken.mock.port })).rejects.toThrow(
      `port ${taken.mock.port} on 127.0.0.1 is in use; choose another port`,
    );
    fs.writeFileSync(stateFile, '{');
    await expect(createMock({ state: stateFile })).rejects.toThrow('the file was not changed');
    fs.rmSync(stateFile);
    await (await createMock({ state: stateFile })).close();
  });
});

test('5,000 sign-ins and 20 snapshots are less than 3 MB, and come back as they were, in their order', async () => {
  const stateFile = newFile();
  const first = await TestMock.start({ state: stateFile });
  const { users, tenants } = first.world.store;
  const put = (id: string, name = id) => tenants.put({ id, name, tid: id });
  const changes = [
    () => Array.from({ length: 20 }, (_, at) => put(`t${at}`)),
    () => [tenants.delete('t3'), put('t5', 'changed'), put('new')],
    () => [tenants.delete('t7'), put('t7')],
    () => [...(first.world.image().store.get('tenants') ?? new Map()).keys()].map((id) => tenants.delete(id)),
  ];
  for (let at = 0; at < 20; at += 1) {
    for (let sign = 0; sign < 250; sign += 1) issueRefreshToken(first.world, [...users.all()][sign % 3] as never);
    changes[at]?.();
    await first.mock.control.PUT('/snapshots/{snapshot}', { params: { path: { snapshot: `s${at}` } } });
    await first.update({ title: `after ${at}` });
  }
  const imagesOf = ({ world }: TestMock) =>
    [...world.snapshots].map(([name, { image }]) => [name, stateOf(image), JSON.stringify(stateOf(image).changes)]);
  const before = [imagesOf(first), JSON.stringify(first.world)];
  await first[Symbol.asyncDispose]();

  const second = await TestMock.start({ state: stateFile });
  expect([imagesOf(second), JSON.stringify(second.world)]).toEqual(before);
  const { size } = fs.statSync(stateFile);
  expect(size).toBeLessThan(3_000_000);
  await second[Symbol.asyncDispose]();
  await (await createMock({ state: stateFile })).close();
  expect(fs.statSync(stateFile).size).toBe(size);
});
