import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test, vi } from 'vitest';
import { testFolder } from '../../contract-tests/testing/folder.ts';
import { startMock } from '../index.ts';
import { answersThatBreak, appTests } from '../testing/app-tests.ts';
import { runHere, startCommand } from '../testing/command.ts';
import { fileWith } from '../testing/refused.ts';
import type { VaryReport } from './vary.ts';

const reportIn = (folder: string): VaryReport =>
  JSON.parse(readFileSync(join(folder, 'report', 'vary.json'), 'utf8')) as VaryReport;

/** Runs `vary` with these tests; the report is undefined if none was written. */
async function varied(tests: string, ...options: string[]) {
  const { folder, junit, command } = appTests(tests);
  const words = ['vary', '--report-dir', join(folder, 'report'), '--junit', junit, ...options, '--', ...command];
  const ended = await runHere(words);
  return { ...ended, folder, report: () => reportIn(folder) };
}

// Most tests of an app hold under any answer; some here do not, for one answer each, or two.
const planted = `
const token = await signIn(admin.sso);
const ofMember = await signIn(member.sso);
const recording = '/v1/echo/recordings/' + target.resources.recordingId;
const keys = '/v1/admin/tenants/' + target.resources.tenantId + '/api-keys';
const update = (body, as = token) => call('PATCH', recording, { body, token: as });
await test('unknown recording', async () => not((await call('PATCH', '/v1/echo/recordings/none', { body: { title: 'x' }, token })).status, 403));
await test('no credentials', async () => not((await call('PATCH', recording, { body: { title: 'x' } })).status, 403));
await test('error text', async () => not(Array.isArray((await call('PATCH', recording, { body: { title: 'x' } })).json.errors), true));
await test('unknown provider', async () => not((await call('GET', keys + '?provider=zz', { token })).status, 200));
await test('unknown tenant', async () => not((await call('GET', '/v1/admin/tenants/none/api-keys', { token })).status, 200));
await test('plain text', async () => not((await call('PATCH', recording, { body: 'x', token, headers: { 'content-type': 'text/plain' } })).status, 400));
await test('wrong method', async () => not((await call('DELETE', recording, { token })).status, 404));
await test('wrong type', async () => not((await update({ title: 5 })).status, 200));
await test('empty update', async () => not((await update({})).status >= 400, true));
await test('time', async () => not((await update({ summary: 'x' })).json.updated_at.endsWith('Z'), false));
await test('new token', async () => not('key' in (await call('POST', '/v1/api-tokens', { body: { name: 'x' }, token })).json, true));
await test('log in', async () => { await call('POST', '/v1/auth/login', { body: admin.login }); });
await test('scopes', async () => { await call('GET', '/v1/api-tokens/scopes', { token }); });
await test('unknown identity', async () => { await call('POST', '/v1/auth/sso', { body: { oid: 'x', tid: 'y', upn: 'z' } }); });
await test('unknown field', async () => { await update({ colour: 'red' }); });
await test('null', async () => { await update({ title: null }); });
await test('analysis', async () => { await update({ analysis: { a: 1 } }); });
await test('by a member', async () => { await call('GET', keys, { token: ofMember }); });
await test('of another tenant', async () => { await call('GET', '/v1/admin/tenants/' + target.resources.otherTenantId + '/api-keys', { token }); });
await test('malformed', async () => { await call('PATCH', recording, { body: '{', token }); });
await test('garbage', async () => { await update({ title: 'x' }, 'garbage'); });
await test('unknown path', async () => { await call('GET', '/v1/nothing', { token }); });
await test('unknown query', async () => { await call('GET', keys + '?colour=red', { token }); });
await test('incomplete identity', async () => { await call('POST', '/v1/auth/sso', { body: { oid: admin.sso.oid } }); });
await test('options', async () => { await call('OPTIONS', keys); });
await test('no body', async () => { await call('PATCH', recording, { token }); });
await test('refresh', async () => { await call('POST', '/v1/auth/refresh', { body: { refresh_token: 'x' } }); });
await test('of somebody else', async () => { await call('PATCH', recording, { body: { title: 'x' }, token: ofMember }); });
`;

test('finds the planted dependences, those and no other, in far fewer runs than answers', async () => {
  const { code, report } = await varied(planted);
  expect(answersThatBreak(report())).toEqual({
    'empty-update: "refuse"': ['empty update'],
    'error-body: "errors-list"': ['error text'],
    'media-type-status: "accept"': ['plain text'],
    'media-type-status: "no-body"': ['plain text'],
    'media-type-status: 400': ['plain text'],
    'method-status: 404': ['wrong method'],
    'method-status: {"ssoLogin":405,"login":405,"createApiToken":405,"updateRecording":404}': ['wrong method'],
    'missing-credentials-status: 403': ['no credentials'],
    'pat-create-response: "key-field"': ['new token'],
    // The default answer leaves no trace.
    'timestamp-form: "offset-micros"': ['time'],
    'unknown-provider-filter: "empty"': ['unknown provider'],
    'unknown-provider-filter: "ignore"': ['unknown provider'],
    'unknown-recording-status: 403': ['unknown recording'],
    'unknown-tenant: "empty"': ['unknown tenant'],
    'wrong-type: "coerce"': ['wrong type'],
  });
  const { runs, gaps, flaky, together, unexplained, errors, tests } = report();
  const tried = gaps.flatMap(({ answers }) => answers).filter(({ outcome }) => outcome !== 'untried');
  expect(tried.length).toBeGreaterThan(45);
  expect(runs).toBeLessThan(tried.length * 0.65);
  expect(gaps.flatMap(({ answers }) => answers)).not.toContainEqual(expect.objectContaining({ isLeftOut: false }));
  expect([flaky, together, unexplained, errors, tests.length, code]).toEqual([[], [], [], [], 28, 1]);
});

const start = `
const token = await signIn(admin.sso);
const recording = '/v1/echo/recordings/' + target.resources.recordingId;
const update = (path, body) => call('PATCH', path, { body, token });
`;
const unknownRecording = `${start}
await test('unknown recording', async () => not((await update('/v1/echo/recordings/none', { title: 'x' })).status, 403));
`;
/** Rests on a gap with a single other answer: few runs. */
const unknownPath = `
await test('unknown path', async () => not((await call('GET', '/v1/nothing')).status, 403));
`;

/** The number of the run, from 1. */
const counting = `
const { appendFileSync, statSync } = await import('node:fs');
const file = process.argv[1] + '.runs';
appendFileSync(file, '.');
const number = statSync(file).size;
`;

test('a gap on which most tests depend alone is named, since it hides what else there is', async () => {
  const tests = `${unknownPath}${unknownPath.replace('unknown', 'another unknown')}`;
  const { stdout } = await varied(tests, '--only', 'unknown-path-status', '--max-runs', '2');
  expect(stdout).toContain('2 of 2 tests depend on a guess:\n  (2 of them depend on unknown-path-status only.)\n');
});

test('an answer that another one hides is found, and called neither flaky nor harmless', async () => {
  // Under 422 the refusal has another status, and the test passes.
  const tests = `${start}await test('empty', async () => not((await update(recording, {})).status, 400));
await test('wrong', async () => not((await update(recording, { title: 5 })).status, 0));`;
  const { report } = await varied(tests, '--only', 'empty-update', 'validation-status', 'wrong-type');
  expect(answersThatBreak(report())).toEqual({ 'empty-update: "refuse"': ['empty'] });
  expect(report().flaky).toEqual([]);
});

test('answers that break a test only together are reported together', async () => {
  const tests = `${start}await test('both', async () => {
    const [unknown, wrong] = [await call('GET', '/v1/nothing'), await update(recording, { title: 5 })];
    not(unknown.status === 403 && wrong.status === 422, true);
  });`;
  const { report, code, stdout } = await varied(tests, '--only', 'unknown-path-status', 'validation-status');
  const answers = [
    { gap: 'validation-status', answer: 422 },
    { gap: 'unknown-path-status', answer: 403 },
  ];
  expect(report().together).toEqual([{ test: 'app.test.ts › both', answers }]);
  expect([answersThatBreak(report()), code]).toEqual([{}, 1]);
  expect(stdout).toContain('only together break "both": validation-status: 422, unknown-path-status: 403');
});

test('a test that fails now and then is called flaky, and nothing else is said of it', async () => {
  const tests = `${unknownPath}${counting}await test('now and then', async () => not(number % 2, 0));\n`;
  const { report } = await varied(tests, '--only', 'unknown-path-status');
  expect(report().flaky).toEqual(['app.test.ts › now and then']);
  expect(answersThatBreak(report())).toEqual({ 'unknown-path-status: 403': ['unknown path'] });
});

test('accepted dependences do not fail, stale ones do; JSON and the summary say the same', async () => {
  const known =
    '  - { gap: unknown-recording-status, answer: 403, test: unknown recording, reason: "asked, ticket 12" }';
  const only = ['--only', 'unknown-recording-status', '--json'];
  const accept = ['--accept', fileWith(`accept:\n${known}\n`)];
  const summary = fileWith('', 'summary.md');
  vi.stubEnv('GITHUB_STEP_SUMMARY', summary);
  const accepted = await varied(unknownRecording, ...only, ...accept);
  expect(accepted.code).toBe(0);
  expect(JSON.parse(accepted.stdout)).toEqual(accepted.report());
  expect(accepted.stderr).toContain('accepted: asked, ticket 12');
  expect(readFileSync(summary, 'utf8')).toContain(
    '| <code>unknown-recording-status</code> | <code>403</code> | unknown recording (accepted: asked, ticket 12) |',
  );
  const stale = fileWith(`accept:\n${known}\n  - { gap: unknown-recording-status, answer: 400, reason: x }\n`);
  const second = await varied(unknownRecording, ...only, '--accept', stale);
  expect(second.code).toBe(1);
  expect(second.stderr).toContain('it breaks nothing any more; remove the entry: unknown-recording-status: 400');
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(
    JSON.parse(readFileSync('spec/schemas/vary.schema.json', 'utf8')),
  );
  for (const { report } of [accepted, second]) expect(validate(report()), JSON.stringify(validate.errors)).toBe(true);
  const questions = readFileSync(join(second.folder, 'report', 'questions.md'), 'utf8');
  expect(questions).toMatch(
    /1\. Which status does the update of an unknown recording get\?\n {3}- a\) 404\n {3}- b\) 403/,
  );
  expect(questions).toContain('With b) our test fails: `unknown recording`. With a), c) all tests pass.');
});

test('what a deployment answers is asked first: only its answer is tried, and marked', async () => {
  await using staging = await startMock({ profile: { answers: { 'validation-status': 422 } } });
  const tests = `${start}await test('wrong type', async () => not((await update(recording, { title: 5 })).status, 422));`;
  const file = fileWith(await (await fetch(`${staging.baseUrl}/_mock/target`)).text());
  const { report, stdout, folder } = await varied(tests, '--target', file);
  const { answers } = report().gaps.find(({ id }) => id === 'validation-status') ?? { answers: [] };
  expect(answers.filter(({ outcome }) => outcome !== 'untried')).toMatchObject([
    { answer: 422, outcome: 'breaks', isObserved: true },
  ]);
  expect(report().runs).toBeLessThan(8);
  expect(stdout).toContain(`and ${staging.baseUrl} does answer so`);
  expect(readFileSync(join(folder, 'report', 'vary.html'), 'utf8')).toContain('does answer so');
});

test('a profile is a fact: its gaps are not varied, in sandboxes with a profile neither', async () => {
  const profile = fileWith('answers:\n  unknown-path-status: 404\n');
  const tests = `${start}${unknownPath}
const made = await fetch(base + '/_mock/sandboxes/own', { method: 'PUT', headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ profile: { answers: { 'missing-credentials-status': 401 } } }) });
await test('in a sandbox', async () => {
  const { json } = await call('POST', '/~own/v1/auth/sso', { body: admin.sso });
  const sent = [{}, { token: json.access_token }].map((by) => call('PATCH', '/~own' + recording, { body: { title: 5 }, ...by }));
  not((await Promise.all(sent)).map(({ status }) => status).join(), '401,422');
});
`;
  const { report } = await varied(tests, '--profile', profile, '--only', 'validation-status', '--max-runs', '2');
  expect(answersThatBreak(report())).toEqual({ 'validation-status: 422': ['in a sandbox'] });
  const ids = report().gaps.map(({ id }) => id);
  expect(ids).not.toContain('unknown-path-status');
  expect(ids).not.toContain('missing-credentials-status');
});

/** Tests of an app, as the last words of `vary`. */
const testing = (tests: string): string[] => ['--env', 'API_URL', '--', ...appTests(tests).command];
const failing = testing("await test('a', async () => not(1, 1)); await call('GET', '/v1/x');");
const idle = testing("await test('a', async () => {});");
const sending = ['--env', 'API_URL', '--', 'node', '-e', "fetch(process.env.API_URL + '/v1/x')"];

test.each([
  ['tests that fail at first', failing, /fail before anything is varied/],
  ['tests that send nothing', idle, /sent nothing to the mock: is PLATFORM_MOCK_URL or API_URL used\?/],
  ['a command that cannot start', ['--', '/no/such/program'], /\/no\/such\/program cannot be started: .*ENOENT/],
  ['a JUnit file that is not new', ['--junit', import.meta.filename, ...sending], /the command did not write it/],
  ['a JUnit file with too long a name', ['--junit', 'x'.repeat(300), ...sending], /ENAMETOOLONG: name too long/],
  ['no command', [], /missing required argument 'command'/],
  ['no file of the mock', ['--routes', 'no-such.yaml', ...sending], /no-such\.yaml: cannot be read \(ENOENT\)/],
  ['an unknown gap', ['--only', 'error-bod', ...sending], /there is no gap error-bod;.*did you mean error-body/],
])('%s: one line and exit code 2', async (_, words, message) => {
  const { code, stderr } = await runHere(['vary', '--report-dir', testFolder(), ...words]);
  expect([code, stderr.trim().split('\n').at(-1)]).toEqual([2, expect.stringMatching(message)]);
});

test.each([
  ['SIGINT', 130],
  ['SIGHUP', 129],
  ['SIGKILL', null],
] as const)('%s ends all that was started; what is known is written', async (signal, exitCode) => {
  // The second run never ends, and has a web server in another process group, as Playwright has.
  const tests = `${unknownPath}
if (existsSync(process.argv[1] + '.seen')) {
const { spawn } = await import('node:child_process');
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true });
process.once('SIGINT', () => setTimeout(() => child.once('exit', () => process.exit(1)).kill(), 200));
writeFileSync(process.argv[1] + '.pids.mock', base);
writeFileSync(process.argv[1] + '.pids', process.pid + ' ' + child.pid);
await new Promise(() => setInterval(() => {}, 1000));
}
writeFileSync(process.argv[1] + '.seen', '');
`;
  const { folder, junit, command } = appTests(tests);
  const report = join(folder, 'report');
  const { child, ended } = startCommand(['vary', '--report-dir', report, '--junit', junit, '--', ...command]);
  const file = `${command[1]}.pids`;
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toMatch(/^\d+ \d+$/);
  child.kill(signal);
  expect((await ended).code).toBe(exitCode);
  const [mock = ''] = /(?<=:)\d+$/.exec(readFileSync(`${file}.mock`, 'utf8')) ?? [];
  await expect.poll(() => fetch(`http://127.0.0.1:${mock}`).catch(() => 'gone')).toBe('gone');
  for (const pid of readFileSync(file, 'utf8').split(' ')) await expect.poll(() => isAlive(Number(pid))).toBe(false);
  if (exitCode !== null) expect(reportIn(folder)).toMatchObject({ stoppedBy: 'interruption', runs: 2 });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('an error in one of several runs ends the others', async () => {
  // The fourth run never ends, and the fifth writes nothing.
  const tests = `${unknownRecording}${counting}if (number === 5) process.exit();
if (number === 4) writeFileSync(process.argv[1] + '.pid', String(process.pid));
if (number === 4) await new Promise(() => setInterval(() => {}, 1000));
`;
  const { code, stdout, folder } = await varied(tests, '--jobs', '2', '--only', 'unknown-recording-status');
  expect([code, stdout]).toEqual([4, expect.stringContaining('the command did not write it')]);
  const pid = Number(readFileSync(join(folder, 'tests.mjs.pid'), 'utf8'));
  await expect.poll(() => isAlive(pid)).toBe(false);
});

/** From the second run on, the tests do this before they write results. */
const later = (code: string): string => `${unknownPath.replace('403', '0')}${counting}
const { status } = await call('GET', '/v1/nothing');
const fill = (text) => writeFileSync(process.argv[2], '<testsuites><testsuite name="app"><testcase classname="app.test.ts" name="unknown path"><failure>' + text + '</failure></testcase></testsuite></testsuites>');
if (number > 1) { ${code} }
`;
const broken = { 'unknown-path-status: 403': ['unknown path'] };
const noResults = /run 2: exit code 1; --junit .*results\.xml: the command did not write it/;

test.each([
  [
    'a DOM of 2,000 elements',
    "if (status === 403) { fill('&lt;p&gt;'.repeat(2000)); process.exit(1); }",
    1,
    broken,
    [],
  ],
  ['none, twice: it breaks', 'if (status === 403) process.exit(1);', 1, broken, []],
  ['none, once', 'if (number === 2) process.exit(1);', 4, {}, [expect.stringMatching(noResults)]],
  ['none with the original answers either', 'process.exit(1);', 4, {}, [expect.stringMatching(noResults)]],
])('a run without results is repeated, never green: %s', async (_, code, exitCode, breaks, errors) => {
  const only = 'unknown-path-status';
  const { report, stdout, folder, ...ended } = await varied(later(code), '--only', only);
  expect([ended.code, answersThatBreak(report()), report().errors]).toEqual([exitCode, breaks, errors]);
  const page = readFileSync(join(folder, 'report', 'vary.html'), 'utf8');
  for (const text of [stdout, page]) expect(text.includes('Inconclusive')).toBe(exitCode === 4);
});

test('links out of its folders are neither written nor read, and nothing waits at a pipe', async () => {
  const { folder, command } = appTests(unknownPath);
  const report = join(folder, 'report');
  const [outside, results] = [fileWith('own', 'outside.txt'), join(folder, 'results')];
  for (const made of [join(report, 'runs'), results]) mkdirSync(made, { recursive: true });
  for (const name of ['vary.json', 'vary.html', 'runs/001.log', 'runs/002.xml'])
    symlinkSync(outside, join(report, name));
  for (const name of ['questions.md', 'runs/001.xml', 'runs/002.log']) execFileSync('mkfifo', [join(report, name)]);
  symlinkSync('/nowhere/x.xml', join(results, 'old.xml'));
  const options = ['--max-runs', '2', '--only', 'unknown-path-status', '--', ...command.slice(0, 2)];
  // Not the path of --junit, which would be replaced.
  const { code } = await runHere([
    'vary',
    '--report-dir',
    report,
    '--junit',
    results,
    ...options,
    `${folder}/./results/x.xml`,
  ]);
  expect([code, readFileSync(outside, 'utf8'), reportIn(folder).runs]).toEqual([1, 'own', 2]);
});

test('without JUnit, the exit code is the only result, and the reports speak of the command', async () => {
  const { folder, command } = appTests(unknownPath);
  const summary = join(folder, 'summary.md');
  const words = ['vary', '--report-dir', join(folder, 'report'), '--only', 'unknown-path-status'];
  const options = ['--max-runs', '2', '--', ...command];
  const { code, stdout } = await runHere([...words, ...options], { GITHUB_STEP_SUMMARY: summary });
  expect([code, stdout]).toEqual([1, expect.stringContaining('Your command depends on a guess:')]);
  for (const file of [summary, join(folder, 'report', 'vary.html')])
    expect(readFileSync(file, 'utf8')).toContain('Your command depends on a guess');
});

test('the maximum number of runs ends the search: nothing broke yet, and that is no green', async () => {
  const tests = `${start}await test('any', async () => not((await update('/v1/echo/recordings/none', { title: 5 })).status, 0));`;
  const { code, report, stdout, folder } = await varied(tests, '--time-limit', '9999999', '--max-runs', '2');
  expect([code, report().runs, report().stoppedBy]).toEqual([4, 2, 'max-runs']);
  const page = 'header class="verdict inconclusive"';
  expect(readFileSync(join(folder, 'report', 'vary.html'), 'utf8')).toContain(page);
  expect(stdout).toMatch(/Not tried: .*the search ended before/);
});

test('an early end says which tests failed so far', async () => {
  const tests = `${start}await test('both', async () => {
    not((await update('/v1/echo/recordings/none', { title: 'x' })).status === 404, false);
    await update(recording, { title: 5 });
  });`;
  const gaps = ['unknown-recording-status', 'validation-status'];
  const { code, report, stdout } = await varied(tests, '--only', ...gaps, '--max-runs', '2');
  expect([code, report().unexplained]).toEqual([4, ['app.test.ts › both']]);
  expect(stdout).toContain('Failed so far, with answers that were not told apart: "both"');
  expect(stdout).not.toContain('No other answer was tried.');
});

test('a time limit that ends the first run leaves everything open', async () => {
  const { code, report } = await varied(unknownPath, '--time-limit', '0.01');
  expect([code, report().stoppedBy, report().runs]).toEqual([4, 'time-limit', 1]);
});

test('runs side by side that disturb each other are run one at a time', async () => {
  // The second and the third run wait for each other, and fail: as at a fixed port, of a dev server.
  const tests = `${unknownPath}${counting}const isTaken = number === 2 || number === 3;
while (isTaken && statSync(file).size < 3) await new Promise((resolve) => setTimeout(resolve, 20));
await test('port', async () => not(isTaken, true));
`;
  const { report, stderr } = await varied(tests, '--jobs', '2', '--only', 'unknown-path-status');
  expect(stderr).toContain('(a fixed port?): one run at a time.');
  expect(answersThatBreak(report())).toEqual({ 'unknown-path-status: 403': ['unknown path'] });
});
