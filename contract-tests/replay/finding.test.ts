import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type DefectId, startSecondImplementation } from '../../fixtures/servers/second/server.ts';
import { startMock } from '../../src/index.ts';
import { readRunInput } from '../commands/run-input.ts';
import { verifyInput } from '../commands/verify.ts';
import { TransportError, UsageError } from '../errors.ts';
import { writeExchanges } from '../har/exchanges.ts';
import type { Report } from '../model.ts';
import { renderHtml } from '../report/html.ts';
import { renderTerminal } from '../report/terminal.ts';
import type { Target } from '../session/target-file.ts';
import { recordedApp } from '../testing/app.ts';
import { withServer } from '../testing/fixtures.ts';
import { testFolder } from '../testing/folder.ts';
import { replayHar } from './command.ts';
import { cut } from './finding.ts';
import { type Fresh, startFresh } from './fresh.ts';
import type { ReplayOptions } from './options.ts';
import type { Interaction } from './recording.ts';

const folder = testFolder();
const file = (name: string): string => join(folder, name);

/** Starts a server in this process. */
type Start = (isDefective: boolean) => Promise<Fresh>;

const secondWith =
  (defect: DefectId): Start =>
  async (isDefective) => {
    const server = await startSecondImplementation({ defects: isDefective ? [defect] : [] });
    return { target: { ...structuredClone(server.target), folder } as Target, stop: server.close };
  };
const mockWith =
  (fault: string): Start =>
  async (isDefective) => {
    const mock = await startMock({ port: 0, log: () => {}, faults: isDefective ? [fault] : [] });
    const target = await (await fetch(`${mock.baseUrl}/_mock/target`)).json();
    return { target: { ...target, folder }, stop: () => mock.close() };
  };

const input = (target?: Target, only?: string[]) => ({
  ...readRunInput({ allowWrites: true, probe: false, only }),
  target,
});

const DEFAULTS: ReplayOptions = { strict: false, allowUnsent: 0, baseline: undefined, isPaced: false };

async function verify(start: Start, har: string, only: string[]): Promise<Report> {
  const { target, stop } = await start(true);
  const report = await verifyInput(input(target, only), { onEnd: (...ran) => writeExchanges(har, ...ran) });
  await stop();
  return report;
}

/** Replays a finding at a server that starts for it. */
async function replayAt({ target, stop }: Fresh, har: string, finding: string): Promise<Report> {
  return replayHar(har, input(target), { ...DEFAULTS, finding }).finally(stop);
}

/** Whether it shows at one of three fresh starts: on a busy machine, two requests overlap by luck. */
async function showsSoon(start: Start, har: string, finding: string): Promise<boolean> {
  for (let n = 0; n < 3; n += 1)
    if ((await replayAt(await start(true), har, finding)).verdict === 'violates') return true;
  return false;
}

describe.each<[string, string, Start]>([
  ['who else calls', 'scopes-no-administrator', mockWith('scopes-cached')],
  ['what overlaps', 'sso-identities-differ', secondWith('overlap-mixes-sign-ins')],
  ['earlier requests', 'recording-addressed', secondWith('recording-of-first-update')],
  // Its id begins like a PAT.
  ['which token', 'sso-token-works', mockWith('sso-token-of-another-key')],
  ['a cookie of somebody else', 'scopes-of-each-caller', secondWith('token-after-session-cookie')],
  ['a body that arrives in two parts', 'recording-update-all', secondWith('update-of-first-part')],
])('a finding that depends on %s', (_what, finding, start) => {
  const har = file(`${finding}.har`);

  test(`${finding} shows again at a fresh start, from a few exchanges, and not without the defect`, async () => {
    const found = await verify(start, har, [finding]);
    expect(found.recording).toBe(har);
    expect(renderTerminal(found)).toContain(`platform-mock replay ${har} --finding ${finding} --allow-writes\n`);

    expect(await showsSoon(start, har, finding)).toBe(true);
    const clean = await replayAt(await start(false), har, finding);
    expect(clean).toMatchObject({ verdict: 'conforms', exitCode: 0, finding: { id: finding, outcome: 'gone' } });
    expect(clean.summary.text).toContain(`${finding} does not show again at ${clean.target.baseUrl}`);

    // Where nothing of the API answers, nothing shows that it is mended.
    const { target, stop } = await start(false);
    await withServer(
      (_request, response) => response.writeHead(404).end('{}'),
      async (baseUrl) => {
        const nothing = await replayAt({ target: { ...target, baseUrl }, stop }, har, finding);
        expect(nothing).toMatchObject({ verdict: 'inconclusive', exitCode: 4 });
        expect(nothing.finding?.outcome).toBe('undecided');
        expect(nothing.summary.text).toContain(`No answer decides ${finding}`);
      },
    );

    const few = file(`${finding}-few.har`);
    const onEnd: ReplayOptions['onEnd'] = (...ran) => writeExchanges(few, ...ran);
    const fresh = { ...DEFAULTS, finding, onEnd };
    const cutting = await replayHar(har, input(), { ...fresh, fresh: () => start(true) });
    expect(cutting.summary.text).toMatch(/shows again at .* Cut from \d+ to \d in \d+ trials .* in [1-3] of 3 trials/);
    expect(cutting.exitCode).toBe(1);
    const { log } = JSON.parse(readFileSync(few, 'utf8'));
    expect(log.entries.length).toBeLessThanOrEqual(10);
    expect(log.entries.length).toBe(cutting.checks[0]?.exchanges.length);
    expect(await showsSoon(start, few, finding)).toBe(true);
    const { exitCode, summary } = await replayHar(few, input(), { ...fresh, fresh: () => start(false) });
    expect({ exitCode, text: summary.text }).toEqual({ exitCode: 0, text: expect.stringContaining('does not show') });

    const html = renderHtml(cutting);
    expect(html).toContain('<h1>Shows again</h1>');
    expect(renderTerminal(cutting)).toContain(`replay ${few} --finding ${finding} --fresh COMMAND --allow-writes\n`);
    expect(html).toMatch(/class="caller c\d">(admin|member)</);
    for (const text of [readFileSync(har, 'utf8'), readFileSync(few, 'utf8'), JSON.stringify(cutting), html])
      expect(text).not.toMatch(/ada-password|c84f1e6a|eyJzdWIi/);
  });
});

test('a finding that needs a pause is printed with --pace 1, and shows again with it', async () => {
  const [har, finding] = [file('pause.har'), 'recording-title-kept'];
  const start = mockWith('title-reverts-later');
  const found = await verify(start, har, [finding]);
  expect(renderTerminal(found)).toContain(`replay ${har} --finding ${finding} --allow-writes --pace 1\n`);
  const { target, stop } = await start(true);
  const again = await replayHar(har, input(target), { ...DEFAULTS, finding, isPaced: true }).finally(stop);
  expect(again.finding).toEqual({ id: finding, outcome: 'shown' });
});

test('a finding that the recording does not have, and a check that is not ours, are usage errors', async () => {
  await using mock = await startMock({ port: 0, log: () => {} });
  const app = await recordedApp(mock.baseUrl);
  const look = (har: string, finding: string) => replayHar(har, input(), { ...DEFAULTS, finding });
  await expect(look(app, 'keys-array')).rejects.toThrow(/no such finding; verify --report-dir writes them/);
  const { log } = JSON.parse(readFileSync(app, 'utf8'));
  const finding = { finding: 'keys-array/x', entries: [1] };
  const findings = { 'keys-array': [finding, { finding: 7, entries: 'all' }], own: [finding], valueOf: [null] };
  const text = JSON.stringify({ log: { ...log, _findings: findings } }).replace('"valueOf"', '"__proto__"');
  writeFileSync(file('findings.har'), text);
  await expect(look(file('findings.har'), 'constructor')).rejects.toThrow(UsageError);
  await expect(look(file('findings.har'), 'x')).rejects.toThrow(/it has keys-array, keys-array\/2, own, __proto__\./);
  await expect(look(file('findings.har'), 'own')).rejects.toThrow(/own is a check of your own/);
  const { exitCode } = await replayHar(file('findings.har'), input({ baseUrl: mock.baseUrl }), {
    ...DEFAULTS,
    finding: 'keys-array/2',
  });
  expect(exitCode).toBe(0);
});

test('a recording is cut to the few that show it together, with what handed out their tokens', async () => {
  const all = Array.from({ length: 40 }, (_, at) => ({ number: at + 1 }) as Interaction);
  const close = (some: Iterable<Interaction>) => {
    const chosen = new Set([...some]);
    return all.filter((each) => chosen.has(each) || (each.number === 2 && chosen.size > 0));
  };
  let trials = 0;
  const shows = async (some: Interaction[]) => {
    trials += 1;
    return [7, 31].every((number) => some.some((each) => each.number === number));
  };
  const numbers = async (isOver: () => boolean) => (await cut(all, close, shows, isOver)).map(({ number }) => number);
  expect(await numbers(() => false)).toEqual([2, 7, 31]);
  expect(trials).toBeLessThan(60);
  expect(await numbers(() => true)).toHaveLength(40);
});

describe('the command that starts a deployment', () => {
  test('ends with all that it started', async () => {
    const { target, stop } = await startFresh(
      'sleep 300 & echo "---"; echo "baseUrl: http://host.test/$!"; echo "---"; wait',
    );
    const pid = Number(target.baseUrl.split('/').at(-1));
    expect(process.kill(pid, 0)).toBe(true);
    await stop();
    await expect.poll(() => stateOf(pid), { timeout: 20_000 }).toMatch(/^Z?$/);
  });

  test.each([
    ['echo broken >&2; exit 3', TransportError, /ended \(exit code 3\) before it printed a target file .*: broken/],
    ['echo hello; echo ---; sleep 300', UsageError, /the output of --fresh: a target file is a map/],
    ['echo "actors: [" ; echo ---; sleep 300', UsageError, /the output of --fresh:\d+: not YAML/],
  ])('%s is a clear error', async (command, kind, problem) => {
    const failing = startFresh(command);
    await expect(failing).rejects.toThrow(kind);
    await expect(failing).rejects.toThrow(problem);
  });
});

/** `S`, `Z` for what waits to be removed, and nothing for what is gone. */
const stateOf = (pid: number): string =>
  spawnSync('ps', ['-o', 'stat=', '-p', `${pid}`], { encoding: 'utf8' }).stdout.charAt(0);
