import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { announceUndo, undoOnInterruption } from './interruption.ts';
import { startSecondImplementation } from './second-implementation/server.ts';
import type { Undo } from './session/disposable-recording.ts';
import { Leftovers } from './session/leftovers.ts';
import { secretsInTraffic } from './session/redaction.ts';
import { withFiles, withServer } from './testing/fixtures.ts';

const MAIN = fileURLToPath(new URL('../dist/src/cli/main.js', import.meta.url));

interface Passed {
  method: string;
  path: string;
  body: string;
  status: number;
}

/**
 * Runs `verify` at a deployment through a gateway, and interrupts it once `isEnough` says so of what was answered.
 */
async function interrupted(only: string, isEnough: (passed: readonly Passed[]) => boolean) {
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
      // Once: whoever interrupts twice does not want to wait.
      if (!child.killed && isEnough(passed)) child.kill('SIGINT');
      response
        .writeHead(answer.status, { 'Content-Type': answer.headers.get('content-type') ?? '' })
        .end(await answer.text());
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => gateway.once('listening', resolve));

  const file = join(mkdtempSync(join(tmpdir(), 'platform-mock-interrupt-')), 'target.yaml');
  const own = mkdtempSync(join(tmpdir(), 'platform-mock-interrupt-'));
  const baseUrl = deployment.baseUrl.replace(origin, `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`);
  writeFileSync(file, stringify({ ...deployment.target, baseUrl }));
  const child = spawn(process.execPath, [MAIN, 'verify', '--target', file, '--only', only], {
    env: { ...process.env, VITEST: undefined, TMPDIR: own },
  });
  let stderr = '';
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  gateway.closeAllConnections();
  gateway.close();
  await deployment.close();
  return { code, stderr, passed, temporary: readdirSync(own) };
}

const titlesIn = (passed: readonly Passed[]): string[] =>
  passed.flatMap(({ body, status }) => {
    const { title } = JSON.parse(body || '{}') as { title?: string };
    return title !== undefined && status < 300 ? [title] : [];
  });

test('an interrupted run puts the title of the recording back, and leaves no temporary folder', async () => {
  const { code, stderr, passed, temporary } = await interrupted('REC-22', (seen) => titlesIn(seen).length === 3);
  expect({ code, stderr }).toEqual({
    code: 130,
    stderr: expect.stringContaining('Interrupted. The title of the recording was put back.'),
  });
  const titles = titlesIn(passed);
  // The last title written is not one of the suite's own.
  expect(titles.length).toBeGreaterThanOrEqual(4);
  expect(titles.at(-1)).not.toMatch(/Contract title|Ünïcödé|markup|Q&A|spaces|long title/);
  expect(temporary).toEqual([]);
});

test.each([0, 1, 3])('a PAT is told of, interrupted %i requests after it was made', async (later) => {
  const isPat = ({ method, path, status }: Passed): boolean =>
    method === 'POST' && path.endsWith('/api-tokens') && status < 300;
  const { stderr } = await interrupted('AUT-09', (passed) => {
    const made = passed.findIndex(isPat);
    return made !== -1 && passed.length > made + later;
  });
  expect(stderr).toMatch(
    /Left at the target:\n {2}- a personal access token (named "platform-mock|may have been made)/,
  );
});

/** Loaded before a command: judging what says SLOW never ends. */
const SLOW = `data:text/javascript,${encodeURIComponent(`
import { writeSync } from 'node:fs';
const { parse } = JSON;
JSON.parse = (text, ...rest) => {
  if (String(text).includes('SLOW')) {
    writeSync(2, 'BUSY');
    for (;;);
  }
  return parse(text, ...rest);
};`)}`;

test.each(['verify', 'learn'])('%s is interrupted, whatever answer it is busy with', async (command) => {
  const answer: RequestListener = (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"access_token":"SLOW"}');
  };
  await withServer(answer, (baseUrl) =>
    withFiles(
      { 'target.yaml': { baseUrl, actors: { admin: { sso: { oid: 'a', tid: 'b', upn: 'c' } } } } },
      async (path) => {
        const child = spawn(process.execPath, [MAIN, command, '--target', path('target.yaml')], {
          env: { ...process.env, VITEST: undefined, NODE_OPTIONS: `--import "${SLOW}"` },
        });
        const closed = new Promise((resolve) => child.once('close', resolve));
        onTestFinished(() => void child.kill('SIGKILL'));
        await new Promise<void>((isBusy) => {
          child.stderr.on('data', (text: Buffer) => text.includes('BUSY') && isBusy());
        });
        child.kill('SIGINT');
        expect(await closed).toBe(130);
      },
    ),
  );
});

test('runs of one process neither halt nor undo each other', async () => {
  const halted: string[] = [];
  const target = { baseUrl: 'http://127.0.0.1:1' };
  const [one, other] = ['one', 'other'].map((run) => {
    const watch = undoOnInterruption(
      run,
      () => ({ target }),
      () => {},
    );
    let announce: (undos: Undo[]) => void = () => {};
    announceUndo(run, {
      halt: async () => void halted.push(run),
      leftovers: new Leftovers(),
      secrets: secretsInTraffic(),
      onUndo(listener) {
        announce = listener;
      },
    });
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

test('a run whose thread is busy with an answer is interrupted at once', async () => {
  const watch = undoOnInterruption(
    'busy',
    () => ({ target: { baseUrl: 'http://127.0.0.1:1' } }),
    () => {},
  );
  await watch.halt();
  watch.stop();
});
