/** All that the commands write leaves through the outlet, which sieves it: the writers of Node are replaced here, and see who calls them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { harEntry } from '../../contract-tests/har/write-har.ts';
import { testFolder } from '../../contract-tests/testing/folder.ts';
import { PASSED } from '../../contract-tests/testing/har-of.ts';
import type { Observed } from '../index.ts';
import { fileWith } from '../testing/refused.ts';
import { runCommandLine } from './command-line.ts';
import { commands } from './commands.ts';
import { logsFor } from './serve-logs.ts';

const seen = vi.hoisted(() => ({ isWatched: false, passed: 0, strays: [] as string[] }));
const watching = vi.hoisted(() => <T extends object>(module: T, names: readonly string[]): T => {
  const watched = names.map((name) => {
    const write: unknown = Reflect.get(module, name);
    const replaced = (...given: unknown[]): unknown => {
      const isThrough = /outlet\.ts/.test(new Error().stack ?? '');
      if (seen.isWatched && isThrough) seen.passed += 1;
      else if (seen.isWatched) seen.strays.push(`${name}: ${String(given[1] ?? given[0]).slice(0, 80)}`);
      return Reflect.apply(write as (...given: unknown[]) => unknown, module, given);
    };
    return [name, replaced];
  });
  return { ...module, ...Object.fromEntries(watched) };
});
const WRITERS = vi.hoisted(() => [
  'writeFileSync',
  'appendFileSync',
  'writeFile',
  'appendFile',
  'createWriteStream',
  'writeSync',
]);
vi.mock('node:fs', async (original) => watching(await original<object>(), WRITERS));
vi.mock('../score/score.ts', async (original) => ({
  ...(await original<object>()),
  curve: async () => [{ requests: 30, faults: 2, killed: 1 }],
  keepCurve: () => 'kill-rate.json',
}));
vi.mock('node:fs/promises', async (original) => watching(await original<object>(), ['writeFile', 'appendFile']));

const SECRET = 'K2v9Qz81mXwP27LrT5';
const json = (value: object) => Buffer.from(JSON.stringify(value));
const headers = { Authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' };
const base = 'https://api.example.test';
const entries = await Promise.all(
  [`/v1/admin/tenants/ten/api-keys?code=${SECRET}`, `/v1/folders?token=${SECRET}`].map((path) => {
    const responseBody = json({ error: `no list for ${SECRET}` });
    return harEntry({
      ...PASSED,
      method: 'GET',
      url: base + path,
      requestHeaders: headers,
      responseHeaders: { 'content-type': 'application/json' },
      responseBody,
    });
  }),
);
const refused = await harEntry({
  ...PASSED,
  method: 'GET',
  url: `${base}/v1/admin/tenants/ten/api-keys`,
  status: 401,
  responseHeaders: { 'content-type': 'application/json' },
  responseBody: json({ error: { code: 'no_token', message: `no token, such as ${SECRET}` } }),
});
const har = fileWith(JSON.stringify({ log: { entries: [...entries, refused] } }), 'browser.har');
const away = fileWith(`baseUrl: http://127.0.0.1:1\nactors: { admin: { accessToken: ${SECRET} } }\n`, 'away.yaml');
const folder = testFolder();
const observed: Observed = {
  ...{ method: 'GET', url: '/v1/x', status: 200, basis: 'documented', milliseconds: 3, delayMs: 0 },
  ...{ operation: undefined, faults: [], isPreflight: false, refusedOrigin: undefined },
};
const summary = join(folder, 'summary.md');

test.each([
  `verify --har ${har} --report-dir ${folder} --sarif ${folder}/f.sarif --history ${folder}/h.jsonl`,
  `verify --har ${har} --json`,
  `verify --target ${away} --report-dir ${folder}`,
  `verify --target ${away} --compare ${away}`,
  `verify --target ${away} --plan --json`,
  `learn --har ${har} --out ${folder}/p.yaml`,
  `learn --har ${har} --json`,
  `routes --from ${har} --out ${folder}/r.yaml`,
  `routes --from ${har}`,
  `vary --report-dir ${folder}/vary --max-runs 1 --json -- node -e 0`,
  `vary --report-dir ${folder}/vary --target ${away} -- node -e 0`,
  'score --curve',
])('%s', async (command) => {
  await expectWatched(() => runCommandLine(command.split(' '), commands));
});

test.each([{}, { jsonLogs: true }])('the log of a mock, %j', async (flags) => {
  await expectWatched(async () => {
    const { log, observe } = await logsFor(flags);
    log('info', 'listening');
    observe({ ...observed, refusedOrigin: 'https://app.example' });
  });
});

/** Fails unless what this does writes something, all of it through the outlet, and no secret. */
async function expectWatched(act: () => Promise<void>): Promise<void> {
  const printed: string[] = [];
  const real = { stdout: process.stdout, stderr: process.stderr };
  for (const [name, stream] of Object.entries(real)) {
    const note = { write: (text: string): boolean => printed.push(text) > 0 };
    const { write } = watching(note, ['write']);
    vi.spyOn(stream, 'write').mockImplementation((text) => write(String(text)) && name !== '');
  }
  vi.stubEnv('GITHUB_ACTIONS', 'true');
  vi.stubEnv('GITHUB_STEP_SUMMARY', summary);
  Object.assign(seen, { isWatched: true, passed: 0, strays: [] });
  try {
    await act();
  } finally {
    seen.isWatched = false;
    process.exitCode = undefined;
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  }
  const names = readdirSync(folder).filter((name) => name.includes('.'));
  const written = names.map((name) => readFileSync(join(folder, name), 'utf8'));
  expect({ strays: seen.strays, isEmpty: seen.passed === 0 }).toEqual({ strays: [], isEmpty: false });
  expect([...printed, ...written].filter((text) => text.includes(SECRET))).toEqual([]);
}
