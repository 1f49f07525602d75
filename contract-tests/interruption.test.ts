import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { announceUndo, undoOnInterruption } from './interruption.ts';
import { startSecondImplementation } from './second-implementation/server.ts';

const MAIN = fileURLToPath(new URL('../dist/src/cli/main.js', import.meta.url));

test('an interrupted run puts the title of the recording back', async () => {
  const deployment = await startSecondImplementation({ style: 'lenient' });
  const titles: string[] = [];
  const { origin } = new URL(deployment.baseUrl);

  // A gateway before the deployment: it sees each title, and interrupts the run after the third.
  const gateway = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', async () => {
      const body = Buffer.concat(chunks).toString();
      const headers = Object.fromEntries(
        Object.entries(request.headers).filter(([name]) => ['authorization', 'content-type', 'accept'].includes(name)),
      ) as Record<string, string>;
      const answer = await fetch(origin + request.url, {
        method: request.method ?? 'GET',
        headers,
        ...(body ? { body } : {}),
      });
      const title = (JSON.parse(body || '{}') as { title?: string }).title;
      if (title !== undefined && answer.ok) titles.push(title);
      // Once: whoever interrupts twice does not want to wait.
      if (titles.length === 3 && !child.killed) child.kill('SIGINT');
      response
        .writeHead(answer.status, { 'Content-Type': answer.headers.get('content-type') ?? '' })
        .end(await answer.text());
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => gateway.once('listening', resolve));

  const file = join(mkdtempSync(join(tmpdir(), 'platform-mock-interrupt-')), 'target.yaml');
  const baseUrl = deployment.baseUrl.replace(origin, `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`);
  writeFileSync(file, stringify({ ...deployment.target, baseUrl }));
  const child = spawn(process.execPath, [MAIN, 'verify', '--target', file, '--only', 'REC-22'], {
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

  expect({ code, stderr }).toEqual({
    code: 130,
    stderr: expect.stringContaining('Interrupted. The title of the recording was put back.'),
  });
  // The last title written is not one of the suite's own.
  expect(titles.length).toBeGreaterThanOrEqual(4);
  expect(titles.at(-1)).not.toMatch(/Contract title|Ünïcödé|markup|Q&A|spaces|long title/);
});

test('runs of one process neither halt nor undo each other', async () => {
  const halted: string[] = [];
  const target = { baseUrl: 'http://127.0.0.1:1' };
  const [one, other] = ['one', 'other'].map((run) => {
    const watch = undoOnInterruption(run, target, () => {});
    const announce = announceUndo(run, async () => void halted.push(run));
    return { watch, announce };
  });
  try {
    one?.announce([{ path: '/one', json: { title: 'One' }, headers: {} }]);
    other?.announce([{ path: '/other', json: { title: 'Other' }, headers: {} }]);
    expect(await other?.watch.halt()).toMatchObject([{ path: '/other' }]);
    expect(halted).toEqual(['other']);
    expect(await one?.watch.halt()).toMatchObject([{ path: '/one' }]);
  } finally {
    one?.watch.stop();
    other?.watch.stop();
  }
});
