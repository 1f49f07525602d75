// A server that is stopped, killed, or cannot save its state.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, watch } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { isWorldsState } from '../server/worlds-state.ts';
import { runCommand, startServer } from '../testing/command.ts';

const serve = (...flags: readonly string[]) => startServer(['serve', ...flags]);

async function signIn(baseUrl: string): Promise<string> {
  const target = (await (await fetch(`${baseUrl}/_mock/target`)).json()) as { actors: { admin: { sso: object } } };
  const answer = await fetch(`${baseUrl}/v1/auth/sso`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(target.actors.admin.sso),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

const update = (baseUrl: string, token: string, title: string) =>
  fetch(`${baseUrl}/v1/echo/recordings/rec_kickoff`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ title }),
  });

const often = { interval: 10 };

/** The outcomes of the requests to the API so far. */
async function outcomes(baseUrl: string): Promise<string[]> {
  const { entries } = (await (await fetch(`${baseUrl}/_mock/journal`)).json()) as { entries: { outcome: string }[] };
  return entries.map(({ outcome }) => outcome);
}

const takesConnections = (baseUrl: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

test('SIGTERM: requests in flight are finished, then it exits with 0', async () => {
  const { child, ended, baseUrl } = await serve();
  const token = await signIn(baseUrl);
  const url = new URL('/v1/echo/recordings/rec_kickoff', baseUrl);
  const body = '{"title":"sent in two parts"}';
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': body.length,
  };
  const sending = request(url, { method: 'PATCH', headers });
  sending.write(body.slice(0, 10));
  await expect.poll(() => outcomes(baseUrl), often).toContain('pending');
  child.kill('SIGTERM');
  await expect.poll(() => takesConnections(baseUrl), often).toBe(false);
  sending.end(body.slice(10));
  const [answer] = await once(sending, 'response');
  expect(answer.statusCode).toBe(200);
  answer.resume();
  expect((await ended).code).toBe(0);
});

test('SIGTERM: clients that do not finish are disconnected', async () => {
  const { child, ended, baseUrl } = await serve();
  const url = new URL('/v1/auth/sso', baseUrl);
  const headers = { 'content-type': 'application/json', 'content-length': 100 };
  const sending = request(url, { method: 'POST', headers });
  sending.on('error', () => {});
  sending.write('{');
  await expect.poll(() => outcomes(baseUrl), often).toContain('pending');
  child.kill('SIGTERM');
  expect((await ended).code).toBe(0);
});

test('unwritable state: reported in one line at the start, with exit code 2', async () => {
  const { code, stderr } = await runCommand(['serve', '--port', '0', '--state', '/proc/self/state.json']);
  expect(code).toBe(2);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).toContain('the state cannot be saved');
});

test('state that becomes unwritable: logged while serving continues, and exit code 1', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gone-'));
  const { child, ended, baseUrl, output } = await serve('--state', join(folder, 'state.json'));
  const token = await signIn(baseUrl);
  rmSync(folder, { recursive: true });
  expect((await update(baseUrl, token, 'kept in memory')).status).toBe(200);
  await expect.poll(output, often).toContain('the state cannot be saved');
  expect((await update(baseUrl, token, 'still serving')).status).toBe(200);
  child.kill('SIGTERM');
  expect((await ended).code).toBe(1);
  expect(output()).toMatch(/the state cannot be saved: there is no folder .* \(ENOENT\)/);
  expect(output()).toMatch(/could not stop cleanly: .*the state cannot be saved/);
});

const recordPath = '/_mock/state/recordings/rec_kickoff';

const titleAt = async (baseUrl: string): Promise<string> =>
  ((await (await fetch(baseUrl + recordPath)).json()) as { title: string }).title;

/** Edits the recording through the control plane, which accepts larger bodies than the API. */
const change = (baseUrl: string, fields: object) =>
  fetch(baseUrl + recordPath, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  });

/** Kills the server as soon as a temporary file is written beside the state: a save is in progress. */
function killWhileSaving(child: ChildProcess, file: string): () => void {
  const watcher = watch(dirname(file), (_event, name) => {
    if (name?.startsWith(`${basename(file)}.`) && name.endsWith('.tmp')) child.kill('SIGKILL');
  });
  return () => watcher.close();
}

const maxRounds = 60;
const requiredHits = 3;

test('SIGKILL while saving loses neither the last complete state nor what was acknowledged since', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'killed-')), 'state.json');
  const first = await serve('--state', file);
  let acknowledged = 'saved in peace';
  let last = '';
  await change(first.baseUrl, { title: acknowledged });
  await first.end();
  let hits = 0;
  for (let round = 0; hits < requiredHits; round += 1) {
    // Killed at the first sign of a save, which takes far longer than the kill.
    expect(round, `${hits} kills fell into a save`).toBeLessThan(maxRounds);
    const { child, ended, baseUrl } = await serve('--state', file);
    const found = await titleAt(baseUrl);
    // What was acknowledged; what was not may have been written all the same.
    if (found !== last) expect(found, 'what a restart finds').toBe(acknowledged);
    acknowledged = found;
    const before = readFileSync(file, 'utf8');
    const title = `round ${round}`;
    last = title;
    const stopWatching = killWhileSaving(child, file);
    // It may be killed before it responds.
    const answer = await change(baseUrl, { title, analysis: { filling: 'x'.repeat(8_000_000) } }).catch(
      () => undefined,
    );
    if (answer?.ok) acknowledged = title;
    expect((await ended).signal).toBe('SIGKILL');
    stopWatching();
    const text = readFileSync(file, 'utf8');
    expect(isWorldsState(JSON.parse(text))).toBe(true);
    // The complete new state, or the one before: what the start itself changed may have been saved since.
    const isNew = text.includes(`"${title}"`);
    if (!isNew) expect(text.includes(`"${found}"`), 'the last good state').toBe(true);
    // Byte by byte the same: it was killed while writing.
    if (text === before) hits += 1;
  }
});
