// A server that is stopped, killed, cannot save its state, or has a custom route that fails on its own.
import { readFileSync, rmSync, watch } from 'node:fs';
import { connect } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../../contract-tests/testing/folder.ts';
import { callerOf, field } from '../testing/client.ts';
import { startCommand, startServer } from '../testing/command.ts';
import { beginUpdate } from '../testing/raw-client.ts';
import { fileWith } from '../testing/refused.ts';

const serve = (...flags: readonly string[]) => startServer(['serve', ...flags]);

const often = { interval: 10 };
const record = '/_mock/state/recordings/rec_kickoff';
/** Through the control plane, which accepts larger bodies than the API. */
const change = (baseUrl: string, json: object) => callerOf(baseUrl)(`PATCH ${record}`, { json });
const titleAt = async (baseUrl: string) => field((await callerOf(baseUrl)(`GET ${record}`)).body, 'title');

const takesConnections = (baseUrl: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

test('SIGTERM: requests in flight are finished, then it exits with 0', async () => {
  const { child, ended, baseUrl } = await serve('--drain-timeout', '600000');
  const call = callerOf(baseUrl);
  const { body: minted } = await call('POST /_mock/tokens', { json: { user: 'usr_ada' } });
  const finish = beginUpdate(baseUrl, String(field(minted, 'token')), 'sent in two parts');
  const outcome = async () => field((await call('GET /_mock/journal')).body, 'entries', 0, 'outcome');
  await expect.poll(outcome, often).toBe('pending');
  child.kill('SIGTERM');
  await expect.poll(() => takesConnections(baseUrl), often).toBe(false);
  expect(await finish()).toBe(200);
  expect((await ended).code).toBe(0);
});

test('state that becomes unwritable: changes are refused, reading goes on, and exit code 1', async () => {
  const folder = testFolder();
  const { child, ended, baseUrl, output } = await serve('--state', join(folder, 'state.json'));
  // A save may just have created a file there.
  rmSync(folder, { recursive: true, maxRetries: 100 });
  expect((await change(baseUrl, { title: 'cannot be kept' })).status).toBe(503);
  expect(await titleAt(baseUrl)).toBe('Kick-off: difference engine');
  child.kill('SIGTERM');
  expect((await ended).code).toBe(1);
  expect(output()).toMatch(/the state cannot be saved: its folder does not exist: .* \(ENOENT\)/);
  expect(output()).toMatch(/could not stop cleanly: .*the state cannot be saved/);
});

/** As `startServer`, but killed as soon as a file appears next to the state. */
async function killedWhileWriting(file: string): Promise<void> {
  const { child, ended } = startCommand(['serve', '--port', '0', '--state', file]);
  const watcher = watch(dirname(file), (_event, name) => {
    if (name === `${basename(file)}.tmp`) child.kill('SIGKILL');
  });
  expect((await ended).signal).toBe('SIGKILL');
  watcher.close();
}

test('SIGKILL while all is written at a start leaves the file as it was', async () => {
  const file = join(testFolder(), 'state.json');
  const first = await serve('--state', file);
  await change(first.baseUrl, { title: 'kept', analysis: { filling: 'x'.repeat(8_000_000) } });
  await first.end('SIGKILL');
  let hits = 0;
  for (let round = 0; hits < 3; round += 1) {
    expect(round, `${hits} kills were early enough`).toBeLessThan(60);
    const before = readFileSync(file);
    await killedWhileWriting(file);
    if (readFileSync(file).equals(before)) hits += 1;
  }
  const last = await serve('--state', file);
  expect(await titleAt(last.baseUrl)).toBe('kept');
  await last.end();
});

test('during the delay clients are sent elsewhere; a second signal ends it at once, and Ctrl+C waits for no delay', async () => {
  const server = await serve('--drain-delay', '3600000');
  server.child.kill('SIGTERM');
  const ready = async () => (await callerOf(server.baseUrl)('GET /_mock/health/ready')).status;
  await expect.poll(ready).toBe(503);
  const { status, headers } = await callerOf(server.baseUrl)('GET /v1/api-tokens/scopes');
  expect([status, headers.get('connection')]).toEqual([401, 'close']);
  expect((await server.end('SIGTERM')).code).toBe(130);
  const other = await serve('--drain-delay', '3600000');
  expect((await other.end('SIGINT')).code).toBe(0);
});

test('a custom route that fails after its answer is logged, and the mock stays up', async () => {
  const answer = `() => { void Promise.reject(new Error('it is not awaited')); return { body: 'answered' }; }`;
  const text = `export default { routes: [{ path: '/v1/x', answer: ${answer} }] };`;
  const server = await serve('--routes', fileWith(text, 'routes.mjs'));
  for (const _time of [1, 2]) expect((await callerOf(server.baseUrl)('GET /v1/x')).body).toBe('answered');
  const { code, stderr } = await server.end('SIGTERM');
  const said = 'failed outside of any request: Error: it is not awaited';
  expect([code, stderr]).toEqual([0, expect.stringContaining(said)]);
});
