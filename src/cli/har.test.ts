import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer, get } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { brotliCompressSync, constants } from 'node:zlib';
import { expect, test } from 'vitest';
import { testFolder } from '../../contract-tests/testing/folder.ts';
import { startMock } from '../index.ts';
import { callerOf, claimsOfAda } from '../testing/client.ts';
import { runHere, startServer } from '../testing/command.ts';
import { listening } from '../testing/raw-client.ts';

const folder = testFolder();
const entriesIn = (recorded: string) => JSON.parse(readFileSync(recorded, 'utf8')).log.entries;

test('a full disk ends the recording with one line: its file is whole, and the mock goes on', async () => {
  const recorded = join(folder, 'full.har');
  // Limits the files of the process to that many blocks of half a kilobyte.
  const server = await startServer(['serve', '--record', recorded], {}, 'ulimit -f 40');
  for (let at = 0; at < 60; at += 1) await (await fetch(`${server.baseUrl}/v1/${'x'.repeat(500)}`)).text();
  const { code, stderr } = await server.end();
  expect(
    stderr.match(/--record .*full\.har: ended after \d+ exchanges, which it holds: EFBIG. The mock goes on/g),
  ).toHaveLength(1);
  expect(code).toBe(0);
  const { length } = entriesIn(recorded);
  expect(length).toBeGreaterThan(5);
  expect(length).toBeLessThan(60);
  expect(readFileSync(recorded).length).toBeLessThanOrEqual(40 * 1024);
});

const bytesOf = (url: string): Promise<number> =>
  new Promise((done, reject) => {
    get(url, async (response) => {
      let bytes = 0;
      for await (const chunk of response) bytes += (chunk as Buffer).length;
      done(bytes);
    }).on('error', reject);
  });

test.skipIf(process.platform !== 'linux')('what no recording holds is not kept on its way there', async () => {
  const megabyte = Buffer.alloc(1024 * 1024, 'a');
  const bomb = brotliCompressSync(Buffer.alloc(250 * megabyte.length, 'a'), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
  });
  const upstream = createServer(({ url }, response) => {
    response.setHeader('Content-Type', 'text/plain');
    if (url === '/long') Readable.from(Array(300).fill(megabyte)).pipe(response);
    else response.setHeader('Content-Encoding', 'br').end(bomb);
  });
  const recorded = join(folder, 'long.har');
  const server = await startServer(['serve', '--upstream', await listening(upstream), '--record', recorded]);
  expect(await bytesOf(`${server.baseUrl}/long`)).toBe(300 * megabyte.length);
  expect(await bytesOf(`${server.baseUrl}/bomb`)).toBe(bomb.length);
  await expect.poll(() => entriesIn(recorded).length, { timeout: 60_000 }).toBe(2);
  const [, peak] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8')) ?? [];
  expect((await server.end()).code).toBe(0);
  upstream.close();
  expect(entriesIn(recorded)).toMatchObject([
    { response: { bodySize: 300 * megabyte.length, content: { comment: 'left out: longer than 5 MB' } } },
    { response: { bodySize: bomb.length, content: { comment: 'left out: longer than 5 MB' } } },
  ]);
  expect(Number(peak) / 1024).toBeLessThan(350);
});

test('proxy --record --judge records what the target answers, and prints a finding as it passes', async () => {
  await using mock = await startMock({ faults: ['sso-token-type-capital'] });
  const recorded = join(folder, 'proxy.har');
  const proxy = await startServer(['proxy', '--base-url', mock.baseUrl, '--record', recorded, '--judge']);
  await callerOf(proxy.baseUrl)('POST /v1/auth/sso', { json: claimsOfAda });
  await expect.poll(proxy.output).toMatch(/VIOLATION SSO-06 \(sso-token-type\): .*Entry \d/);
  expect((await proxy.end('SIGTERM')).code).toBe(0);
  const urls = entriesIn(recorded).map((entry: { request: { url: string } }) => entry.request.url);
  expect(urls).toContain(`${mock.baseUrl}/v1/auth/sso`);
});

test('a pipe is refused as one', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
  // Else a reader waits for a writer.
  const writer = openSync(pipe, 'r+');
  expect((await runHere(['verify', '--har', pipe])).stderr).toBe(
    `platform-mock: ${pipe}: it is a pipe; name a file, which can be read from its start again.\n`,
  );
  closeSync(writer);
});

test('a recording belongs to one server, and is no state file', async () => {
  const [recorded, stateFile] = [join(folder, 'owned.har'), join(folder, 'owned.json')];
  await using mock = await startMock({ record: recorded });
  const call = callerOf(mock.baseUrl);
  await call('GET /v1/api-tokens/scopes');
  await expect(startMock({ record: recorded })).rejects.toThrow(
    `owned.har: the recording is in use by process ${process.pid}; stop it, or name another file`,
  );
  await call('GET /v1/api-tokens/scopes');
  await mock.close();
  expect(entriesIn(recorded)).toHaveLength(2);

  await (await startMock({ state: stateFile })).close();
  const state = readFileSync(stateFile, 'utf8');
  const clash = `the recording and the state need a file each; both are ${stateFile}`;
  await expect(startMock({ state: stateFile, record: stateFile })).rejects.toThrow(clash);
  // Refused for its seed, before it empties the recording.
  await expect(startMock({ state: stateFile, seed: 2, record: recorded })).rejects.toThrow(
    'belongs to seed 1, not to 2',
  );
  expect([readFileSync(stateFile, 'utf8'), entriesIn(recorded).length]).toEqual([state, 2]);
});
