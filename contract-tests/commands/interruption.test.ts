import { existsSync, readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { startSecondImplementation } from '../../fixtures/servers/second/server.ts';
import { startCommand } from '../../src/testing/command.ts';
import type { Report } from '../model.ts';
import { passOn, withFiles, withServer } from '../testing/fixtures.ts';
import { isRedJunit, isRedSarif } from '../testing/outputs.ts';

interface Passed {
  method: string;
  path: string;
  body: string;
  status: number;
}

/** Loaded before a command: a signal makes it crash. */
const CRASHING = `data:text/javascript,${encodeURIComponent("process.on('SIGUSR2', () => { throw new Error('crash') })")}`;

/** Runs a command at a deployment through a gateway, and once `isEnough` accepts the answers so far, sends it a signal, or leaves a request without an answer. */
async function interrupted(
  words: readonly string[],
  isEnough: (passed: readonly Passed[]) => boolean,
  signal: NodeJS.Signals | 'hang' = 'SIGINT',
) {
  await using deployment = await startSecondImplementation({ style: 'lenient' });
  const { origin } = new URL(deployment.baseUrl);
  const passed: Passed[] = [];
  let isHung = false;
  let child: ReturnType<typeof startCommand> | undefined;
  const gateway: RequestListener = (request, response) => {
    const { method = 'GET', url: path = '' } = request;
    if (signal === 'hang' && !isHung && isEnough(passed)) {
      isHung = true;
      return;
    }
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    const statusOf = (status: number): number => {
      passed.push({ method, path, body, status });
      // Once: after a second interruption the user does not want to wait.
      if (signal !== 'hang' && !child?.child.killed && isEnough(passed)) child?.child.kill(signal);
      return status;
    };
    passOn(request, response, origin, { statusOf });
  };
  return await withServer(gateway, (gatewayUrl) => {
    const baseUrl = deployment.baseUrl.replace(origin, gatewayUrl);
    const target = { ...deployment.target, baseUrl, tearDown: { command: ['touch', 'ended'] } };
    return withFiles({ 'target.yaml': target }, async (file) => {
      const reports = words[0] === 'verify' ? ['--report-dir', file('report'), '--sarif', file('sarif')] : [];
      const all = [...words, ...reports, '--allow-writes', '--target', file('target.yaml')];
      child = startCommand(all, { NODE_OPTIONS: `--import ${CRASHING}` });
      const { code, stderr } = await child.ended;
      const read = (name: string): string | undefined =>
        existsSync(file(name)) ? readFileSync(file(name), 'utf8') : undefined;
      const [json, junit, sarif] = ['report/report.json', 'report/junit.xml', 'sarif'].map(read);
      return { code, stderr, passed, isTornDown: existsSync(file('ended')), outputs: { json, junit, sarif } };
    });
  });
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
  const { passed, outputs, ...ended } = await interrupted(words, isEnough, signal);
  expect(ended).toEqual({
    code: expected,
    isTornDown: true,
    stderr: expect.stringContaining('Interrupted. The title of the recording was put back.'),
  });
  if (words[0] === 'verify') {
    const { verdict, gates }: Report = JSON.parse(outputs.json ?? '');
    expect([verdict, gates.map(({ cause }) => cause)]).toEqual(['inconclusive', ['interrupted']]);
    expect([isRedJunit(outputs.junit ?? ''), isRedSarif(outputs.sarif ?? '')]).toEqual([true, true]);
  }
  expect(titlesIn(passed).at(-1)).toMatch(/^Aufnahme \d+ – Größe "M" & mehr$/);
});

test('--time-limit ends a run whose target hangs, puts the title back, and reports what was judged', async () => {
  const words = ['verify', '--only', 'REC-22', 'SSO-06', '--timeout', '60000', '--time-limit', '5'];
  const { passed, outputs, ...ended } = await interrupted(words, writesTitles, 'hang');
  const stderr = expect.stringContaining('The time is over. The title of the recording was put back.');
  expect(ended).toEqual({ code: 4, isTornDown: true, stderr });
  const { verdict, exitCode, gates, summary }: Report = JSON.parse(outputs.json ?? '');
  expect({ verdict, exitCode }).toEqual({ verdict: 'inconclusive', exitCode: 4 });
  expect(gates).toContainEqual({
    cause: 'interrupted',
    text: expect.stringMatching(/^--time-limit ended the run after/),
  });
  expect(summary.pass).toBeGreaterThan(0);
  expect(titlesIn(passed).at(-1)).toMatch(/^Aufnahme/);
});

test('a crash says what stays: the title, too', async () => {
  const { code, stderr } = await interrupted(['verify', '--only', 'REC-22'], writesTitles, 'SIGUSR2');
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: expect.stringMatching(/this is a bug: Error: crash.*Left at the target:\n.*it was not put back/s),
  });
});

test.each([0, 1, 3])('a PAT is reported, interrupted %i requests after it was made', async (later) => {
  const isPat = ({ method, path, status }: Passed) => method === 'POST' && path.endsWith('/api-tokens') && status < 300;
  const { stderr } = await interrupted(['verify', '--only', 'AUT-09'], (passed) => {
    const made = passed.findIndex(isPat);
    return made !== -1 && passed.length > made + later;
  });
  expect(stderr).toMatch(
    /Left at the target:\n(.*\n)* {2}- a personal access token (named "platform-mock|may have been made)/,
  );
});
