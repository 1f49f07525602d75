/** Commands of a target file: they give tokens and ids, set up, and tear down. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test, vi } from 'vitest';
import { targetOf } from '../../src/control/target.ts';
import { startMock } from '../../src/index.ts';
import type { Report } from '../model.ts';
import { withoutCommands } from '../session/target-file.ts';
import { withFiles, withServer } from '../testing/fixtures.ts';
import { verify } from '../testing/judge.ts';
import { planOf, renderPlan } from './plan.ts';
import { readRunInput } from './run-input.ts';

/** A command that runs a line of JavaScript. */
const node = (script: string, ...words: string[]) => ({ command: [process.execPath, '-e', script, ...words] });
const noting = (name: string) =>
  `require('fs').appendFileSync('log', '${name} ' + process.env.PLATFORM_MOCK_RUN_ID + '\\n')`;
const failing = (text: string) => node(`console.error(${JSON.stringify(text)}); process.exit(3)`);

/** Verifies a mock by a target file that names commands, at its own `token` script; gives what these noted of themselves, too. */
async function verified(more: object): Promise<{ report: Report; log: string[] }> {
  await using mock = await startMock({ log: () => {} });
  const { actors, resources, baseUrl } = targetOf(mock.world, mock.baseUrl);
  const token = `
    const sso = ${JSON.stringify(actors.admin?.sso)};
    fetch('${baseUrl}/v1/auth/sso', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(sso) })
      .then((answer) => answer.json()).then((grant) => console.log(grant.access_token))`;
  const target = {
    baseUrl,
    actors: { admin: { accessToken: { command: [process.execPath, './token.cjs'] } }, member: actors.member },
    resources: { ...resources, recordingId: node(`console.log('${resources.recordingId}')`) },
    setUp: node(noting('setUp')),
    tearDown: node(noting('tearDown')),
    ...more,
  };
  return await withFiles({ 'target.yaml': target, 'token.cjs': token }, async (path) => {
    const report = await verify({ target: path('target.yaml'), only: ['REC-22', 'SCO-01'] });
    const log = existsSync(path('log')) ? readFileSync(path('log'), 'utf8').trim().split('\n') : [];
    return { report, log };
  });
}

test('give tokens and ids; setUp comes first and tearDown last, with the id of the run', async () => {
  const { report, log } = await verified({});
  expect(report).toMatchObject({ verdict: 'conforms', exitCode: 0 });
  expect(log).toEqual([expect.stringMatching(/^setUp [0-9a-f-]{36}$/), log[0]?.replace('setUp', 'tearDown')]);
  expect(JSON.stringify(report)).toContain('‹admin.accessToken›');
});

test.each([
  ['setUp', { setUp: failing('no room, password=hunter2hunter2') }, /^setUp: .* exit code 3: no room, password=‹/],
  ['a token', { actors: { admin: { pat: failing('quota') } } }, /^actors\.admin\.pat: .* failed: exit code 3: quota/],
  ['a token of two lines', { actors: { admin: { pat: node('console.log("a\\nb")') } } }, /must print one line/],
  ['one without end', { setUp: { ...node('setInterval(() => {}, 99)'), timeoutMs: 300 } }, /not end within 300 ms/],
  [
    'one that names a variable',
    { setUp: node('console.error(process.argv[1]); process.exit(1)', '${PREPARATION_PASSWORD}') },
    /^setUp: .* \$\{PREPARATION_PASSWORD\} failed: exit code 1: ‹PREPARATION_PASSWORD›/,
  ],
  ['a missing program', { setUp: { command: ['./no-such-program'] } }, /^setUp: \.\/no-such-program failed: ENOENT/],
])('%s that fails ends in exit 3 with what it said, and tearDown still runs', async (_name, more, said) => {
  vi.stubEnv('PREPARATION_PASSWORD', 'hunter2hunter2');
  const { report, log } = await verified(more);
  expect(report).toMatchObject({ verdict: 'unreachable', exitCode: 3 });
  expect(report.summary.text).toMatch(said);
  expect(report.summary.text).not.toContain('hunter2');
  expect(log.at(-1)).toMatch(/^tearDown /);
});

test('the time limit of a command ends its children, too', async () => {
  const starting = `
    const { pid } = require('child_process').spawn('sleep', ['60']);
    require('fs').writeFileSync('log', String(pid));
    setInterval(() => {}, 1000)`;
  const { log } = await verified({ setUp: { ...node(starting), timeoutMs: 2000 }, tearDown: undefined });
  const state = (): string => {
    try {
      return readFileSync(`/proc/${log[0]}/stat`, 'utf8').split(' ')[2] ?? '';
    } catch {
      return 'gone';
    }
  };
  await expect.poll(state, { timeout: 10_000 }).toMatch(/gone|Z/);
});

test('a command may leave a server in the background, which holds its output open', async () => {
  const starting = `
    require('child_process').spawn('sleep', ['30'], { stdio: 'inherit', detached: true }).unref();
    process.exit(0)`;
  const { report } = await verified({ setUp: { ...node(starting), timeoutMs: 20_000 }, tearDown: undefined });
  expect(report.verdict).not.toBe('unreachable');
});

test('a tearDown that fails is left over; it changes no verdict', async () => {
  const { report } = await verified({ tearDown: failing('still locked') });
  expect(report.exitCode).toBe(0);
  expect(report.leftovers.at(-1)).toMatch(/^tearDown: .*still locked/);
});

test('the plan names them, without values of the environment, runs none, and asks nobody', async () => {
  vi.stubEnv('PREPARATION_PASSWORD', 'hunter2hunter2');
  const target = {
    setUp: node(noting('setUp')),
    actors: { admin: { pat: { command: ['./pat', '${PREPARATION_PASSWORD}'] } } },
  };
  await withFiles({ 'target.yaml': target }, async (path) => {
    const input = readRunInput({ baseUrl: 'http://127.0.0.1:1', target: path('target.yaml') });
    const text = renderPlan(await planOf(input));
    expect(text).toMatch(/Commands on this machine:\n {2}- setUp: .*\n {2}- actors\.admin\.pat: \.\/pat /);
    expect(text).toContain('./pat ${PREPARATION_PASSWORD}');
    expect(existsSync(`${dirname(path('target.yaml'))}/log`)).toBe(false);
  });
});

test('a server that describes itself names no command that runs', async () => {
  const described = { actors: { admin: { pat: node(`require('fs').writeFileSync('owned', '')`) } } };
  await withServer(
    (request, response) => {
      const isDescription = request.url === '/_mock/target';
      response.writeHead(isDescription ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isDescription ? { baseUrl: 'http://x', ...described } : {}));
    },
    async (baseUrl) => {
      const report = await verify({ baseUrl });
      expect(report.exitCode).toBe(4);
      expect(existsSync('owned')).toBe(false);
    },
  );
});

test('an analysis is no command, with any members', () => {
  const analysis = { command: ['./token.sh'], topics: { command: ['./token.sh'] } };
  const target = { baseUrl: 'http://127.0.0.1:9', resources: { analysis } };
  expect(withoutCommands(target)).toEqual({ target, commands: [] });
});
