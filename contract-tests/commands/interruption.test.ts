import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { startSecondImplementation } from '../../fixtures/servers/second/server.ts';

const MAIN = fileURLToPath(new URL('../../dist/bundle/main.js', import.meta.url));

interface Passed {
  method: string;
  path: string;
  body: string;
  status: number;
}

/** Loaded before a command: a signal makes it crash. */
const CRASHING = `data:text/javascript,${encodeURIComponent("process.on('SIGUSR2', () => { throw new Error('crash') })")}`;

/** Runs a command at a deployment through a gateway, and sends it a signal once `isEnough` accepts the answers so far. */
async function interrupted(
  words: readonly string[],
  isEnough: (passed: readonly Passed[]) => boolean,
  signal: NodeJS.Signals = 'SIGINT',
) {
  const deployment = await startSecondImplementation({ style: 'lenient' });
  const { origin } = new URL(deployment.baseUrl);
  const passed: Passed[] = [];
  const gateway = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', async () => {
      const [body, method, path] = [Buffer.concat(chunks).toString(), request.method ?? 'GET', request.url ?? ''];
      const headers = Object.fromEntries(
        Object.entries(request.headers).filter(([name]) => ['authorization', 'content-type', 'accept'].includes(name)),
      ) as Record<string, string>;
      const answer = await fetch(origin + path, { method, headers, ...(body ? { body } : {}) });
      passed.push({ method, path, body, status: answer.status });
      // Once: after a second interruption the user does not want to wait.
      if (!child.killed && isEnough(passed)) child.kill(signal);
      response
        .writeHead(answer.status, { 'Content-Type': answer.headers.get('content-type') ?? '' })
        .end(await answer.text());
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => gateway.once('listening', resolve));

  const file = join(mkdtempSync(join(tmpdir(), 'platform-mock-interrupt-')), 'target.yaml');
  const baseUrl = deployment.baseUrl.replace(origin, `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`);
  writeFileSync(file, stringify({ ...deployment.target, baseUrl, tearDown: { command: ['touch', 'ended'] } }));
  const child = spawn(process.execPath, ['--import', CRASHING, MAIN, ...words, '--target', file], {
    env: { ...process.env, VITEST: undefined },
  });
  let stderr = '';
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  gateway.closeAllConnections();
  gateway.close();
  await deployment.close();
  return { code, stderr, passed, isTornDown: existsSync(join(dirname(file), 'ended')) };
}

const titlesIn = (passed: readonly Passed[]): string[] =>
  passed.flatMap(({ body, status }) => {
    const { title } = JSON.parse(body || '{}') as { title?: string };
    return title !== undefined && status < 300 ? [title] : [];
  });

const writesTitles = (passed: readonly Passed[]): boolean => titlesIn(passed).length === 3;

test.each([
  ['SIGINT', 130, ['verify', '--only', 'REC-22']],
  ['SIGTERM', 143, ['verify', '--only', 'REC-22']],
  ['SIGINT', 130, ['learn']],
] as const)('%s: exit code %i of %j, which puts the title back', async (signal, expected, words) => {
  const isEnough = words[0] === 'learn' ? (seen: readonly Passed[]) => titlesIn(seen).length === 1 : writesTitles;
  const { passed, ...ended } = await interrupted(words, isEnough, signal);
  expect(ended).toEqual({
    code: expected,
    isTornDown: true,
    stderr: expect.stringContaining('Interrupted. The title of the recording was put back.'),
  });
  expect(titlesIn(passed).at(-1)).toMatch(/^Aufnahme \d+ – Größe "M" & mehr$/);
});

test('a crash says what stays: the title, too', async () => {
  const { code, stderr } = await interrupted(['verify', '--only', 'REC-22'], writesTitles, 'SIGUSR2');
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: expect.stringMatching(/this is a bug: Error: crash.*Left at the target:\n.*it was not put back/s),
  });
});

test.each([0, 1, 3])('a PAT is reported, interrupted %i requests after it was made', async (later) => {
  const isPat = ({ method, path, status }: Passed): boolean =>
    method === 'POST' && path.endsWith('/api-tokens') && status < 300;
  const { stderr } = await interrupted(['verify', '--only', 'AUT-09'], (passed) => {
    const made = passed.findIndex(isPat);
    return made !== -1 && passed.length > made + later;
  });
  expect(stderr).toMatch(
    /Left at the target:\n(.*\n)* {2}- a personal access token (named "platform-mock|may have been made)/,
  );
});
