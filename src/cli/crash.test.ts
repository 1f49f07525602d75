// The output of a command that ends by an internal exception, which a preloaded module throws.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { jwtOf, withFiles, withServer } from '../../contract-tests/testing/fixtures.ts';
import { CANARIES, echoed, hostileTarget } from '../../contract-tests/testing/hostile-targets.ts';
import { packageFile } from '../server/files/package-root.ts';
import { startCommand } from '../testing/command.ts';
import { runProgram } from '../testing/program.ts';

/** Throws the text of a file, once it exists: in the command itself, not in Prism, whose own end would come first. */
const CRASHING = `data:text/javascript,${encodeURIComponent(`
import { existsSync, readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
const file = process.env.CRASH_TEXT;
if (isMainThread && process.argv[1].endsWith('start.cjs')) {
  const timer = setInterval(() => {
    if (!existsSync(file)) return;
    clearInterval(timer);
    throw new Error(readFileSync(file, 'utf8'));
  }, 20);
  timer.unref();
}`)}`;

const ISSUED = jwtOf({ sub: 'u1', exp: 4_000_000_000 }, 'c2lnbmF0dXJlLW9mLXRoZS10b2tlbg');
const CONTROL_TOKEN = 'control-Tk-91d0a7';
const COMMANDS = '\u001b[2J\u001b]0;owned\u0007\n::error file=a.js::owned\n##[error]owned';

/** Text that controls a terminal or CI. */
const COMMANDING = /(?!\n)\p{Cc}|^\s*::|##\[/mu;

/** Runs a command at a target that shows a token and then makes it crash. */
const crash = (words: readonly string[], onceUp = false) =>
  withFiles({}, async (path) => {
    const text = [COMMANDS, CONTROL_TOKEN, ISSUED, ...given].flatMap(echoed).join('\n');
    const crashNow = (): void => writeFileSync(path('crash'), text);
    const listener: RequestListener = ({ headers, url = '' }, response) => {
      response.setHeader('Content-Type', 'application/json');
      if (/\/auth\/|login/.test(url)) response.end(JSON.stringify({ access_token: ISSUED, token_type: 'Bearer' }));
      else response.end('[]');
      if (headers.authorization?.includes(ISSUED)) crashNow();
    };
    return withServer(listener, (baseUrl) => {
      writeFileSync(path('target.json'), JSON.stringify(hostileTarget(baseUrl)));
      const { child, ended } = startCommand(
        words.map((word) => (word === 'TARGET' ? path('target.json') : word)),
        { NODE_OPTIONS: `--import "${CRASHING}"`, CRASH_TEXT: path('crash') },
      );
      if (onceUp) child.stdout.once('data', crashNow);
      return ended;
    });
  });

const given = [CANARIES.password, CANARIES.edgePass, CANARIES.oid, String(CANARIES.pin)];
/** Without pieces of the claim, which signs in as a whole. */
const secretsIn = (text: string): string[] => echoed(text).slice(0, text === CANARIES.oid ? -2 : undefined);

test.each<[command: string, words: string[], known: string[], onceUp?: boolean]>([
  ['verify', ['verify', '--target', 'TARGET'], [...given, ISSUED]],
  ['learn', ['learn', '--target', 'TARGET'], [...given, ISSUED]],
  ['proxy', ['proxy', '--port', '0', '--target', 'TARGET'], given, true],
  ['serve', ['serve', '--port', '0', '--control-token', CONTROL_TOKEN], [CONTROL_TOKEN], true],
  ['score', ['score'], [], true],
])('%s prints neither a credential nor a command', async (_command, words, known, onceUp) => {
  const { code, stderr } = await crash(words, onceUp);
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('platform-mock: this is a bug: Error') });
  expect(known.flatMap(secretsIn).filter((text) => stderr.includes(text))).toEqual([]);
  expect(stderr).not.toMatch(COMMANDING);
});

test('a reader that ends before the output does is no bug', async () => {
  const { child, ended } = startCommand(['faults', '--json']);
  child.stdout?.destroy();
  expect(await ended).toMatchObject({ code: 0, stderr: '' });
});

test.skipIf(!existsSync('/dev/full'))('output that cannot be written is one line and exit 3', async () => {
  const command = `"${process.execPath}" "${packageFile('dist', 'src', 'cli', 'start.cjs')}" faults --json > /dev/full`;
  const stderr = 'platform-mock: the output cannot be written (ENOSPC).\n';
  expect(await runProgram('sh', ['-c', command]).ended).toMatchObject({ code: 3, stderr });
});

test.each(['', '--json-logs'])('a mock serves on whose log has no space left %s', async (option) => {
  // Files of two blocks, of 512 bytes or of a KiB.
  const words = `serve --port 0 ${option}`.trim().split(' ');
  await withFiles({}, async (path) => {
    const limit = `exec > "${path('out')}" 2> "${path('err')}"; ulimit -f 2`;
    const server = startCommand(words, {}, limit);
    try {
      const text = (): string => readFileSync(path('out'), 'utf8');
      await expect
        .poll(() => existsSync(path('out')) && /http:\/\/127\.0\.0\.1:\d+/.exec(text())?.[0])
        .toMatch(/^http/);
      const [baseUrl = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(text()) ?? [];
      for (let at = 0; at < 40; at += 1) expect((await fetch(`${baseUrl}/v1/nowhere`)).status).toBe(404);
    } finally {
      await server.end('SIGTERM');
    }
  });
});
