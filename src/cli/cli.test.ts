import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Report } from '../../contract-tests/model.ts';
import { allRules } from '../../contract-tests/rules/rules.ts';
import { passOn, withServer } from '../../contract-tests/testing/fixtures.ts';
import { testFolder } from '../../contract-tests/testing/folder.ts';
import { startMock } from '../index.ts';
import { packageFile } from '../server/files/package-root.ts';
import { loadProfile } from '../server/files/profile-file.ts';
import { callerOf } from '../testing/client.ts';
import { runCommand as run, runHere, startServer } from '../testing/command.ts';

const folder = testFolder();
const file = (name: string): string => join(folder, name);

describe('verify', () => {
  test('starts its own mock without a target, which conforms, and writes all reports', async () => {
    const [reports, sarif, history] = [file('reports'), file('findings.sarif'), file('history.jsonl')];
    const words = ['verify', '--json', '--report-dir', reports, '--sarif', sarif, '--history', history];
    const { code, stdout, stderr } = await run(words);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/conforms \(exit 0\): \d+ of \d+ requirements verified/)]);
    const printed = JSON.parse(stdout) as Report;
    expect(printed).toMatchObject({ schemaVersion: 1, verdict: 'conforms', exitCode: 0, score: { falseAlarms: 0 } });
    expect(JSON.parse(readFileSync(join(reports, 'report.json'), 'utf8'))).toEqual(printed);
    for (const name of ['report.html', 'report.md', 'junit.xml'])
      expect(readFileSync(join(reports, name), 'utf8').toLowerCase()).toContain('conforms');
    await using mock = await startMock();
    for (let time = 0; time < 2; time += 1) await runHere([...words, '--only', 'SSO-06', '--base-url', mock.baseUrl]);
    expect(JSON.parse(readFileSync(sarif, 'utf8'))).toMatchObject({ version: '2.1.0', runs: [{ results: [] }] });
    const lines = readFileSync(history, 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject(Array(3).fill({ verdict: 'conforms', violated: [] }));
    expect(readFileSync(join(reports, 'report.html'), 'utf8')).toContain('<h2 id="trend">Trend');
  });

  test('in GitHub Actions findings are annotations, and the report is the job summary', async () => {
    const summary = join(folder, 'summary.md');
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary };
    const words = ['verify', '--only', 'AUT-08', '--base-url', 'http://127.0.0.1:1'];
    const { code, stdout } = await runHere(words, env);
    expect(stdout).toContain('::error title=unreachable::http://127.0.0.1');
    expect(stdout).toContain('unreachable (exit 3): http://127.0.0.1:1 cannot be reached: connection refused.\n');
    expect(readFileSync(summary, 'utf8').toLowerCase()).toContain('unreachable');
    expect(code).toBe(3);
  });

  test('--plan --json prints the plan as JSON on stdout and as text on stderr, without secrets', async () => {
    const { code, stdout, stderr } = await runHere(['verify', '--plan', '--json', '--profile', 'rfc9457']);
    expect(code).toBe(0);
    const plan = JSON.parse(stdout) as Record<'checks' | 'probes' | 'writes', { id?: string }[]>;
    expect(plan).toMatchObject({ schemaVersion: 1, allowWrites: true, target: { baseUrl: expect.any(String) } });
    expect(plan.checks).toEqual(
      allRules.map(({ id, requirements, title }) => expect.objectContaining({ id, requirements, title })),
    );
    expect(plan.probes).toContainEqual(expect.objectContaining({ gap: 'error-body', writes: false }));
    expect(plan.writes).toContainEqual(expect.stringMatching(/^POST \/v1\/api-tokens, twice for admin/));
    expect(stderr).toContain('Every request that would write:');
    expect(stdout).not.toContain('ada-password');
  });
});

// docs/profiles.md has one written, and serves it.
test('learn prints the profile without --out, and JSON with --json', async () => {
  await using mock = await startMock({ port: 0 });
  writeFileSync(file('p.yaml'), (await runHere(['learn', '--base-url', mock.baseUrl])).stdout);
  expect(loadProfile(file('p.yaml')).differences()).toEqual({});
  // A learned limit does not apply to the check of the learned profile.
  const limited: RequestListener = (request, response) => {
    response.setHeader('RateLimit-Policy', '1;w=60');
    passOn(request, response, mock.baseUrl);
  };
  const { stdout } = await withServer(limited, (baseUrl) => runHere(['learn', '--base-url', baseUrl, '--json']));
  expect(JSON.parse(stdout)).toMatchObject({ answers: { 'rate-limit': 1, 'error-body': 'error-object' } });
});

test('verify --compare with another profile: one line per difference, exit 1', async () => {
  await using mock = await startMock({ port: 0 });
  await using other = await startMock({ port: 0, profile: { answers: { 'validation-status': 422 } } });
  const words = ['verify', '--base-url', mock.baseUrl, '--compare', other.baseUrl, '--json'];
  const { code, stdout } = await runHere([...words, '--report-dir', file('compared')]);
  const { differences } = JSON.parse(stdout) as Record<'differences', { text: string }[]>;
  expect(JSON.parse(readFileSync(file('compared/comparison.json'), 'utf8'))).toEqual(JSON.parse(stdout));
  expect(readFileSync(file('compared/comparison.txt'), 'utf8')).toContain(
    '- gap validation-status: 400 at A, 422 at B\n',
  );
  for (const side of ['a', 'b']) expect(existsSync(file(`compared/${side}/report.html`))).toBe(true);
  expect(differences.map(({ text }) => text)).toEqual(['gap validation-status: 400 at A, 422 at B']);
  expect(code).toBe(1);
});

test('serve prints credentials and a curl line that work, and ends cleanly', async () => {
  const mock = await startServer(['serve']);
  const printed = mock.output();
  const send = callerOf('');
  const line = /curl -X PATCH (\S+) -H 'Authorization: (Bearer [^']+)' -H '[^']+' -d '([^']+)'/.exec(printed);
  const [, url = '', Authorization = '', body = ''] = line ?? expect.unreachable(printed);
  const answer = await send(`PATCH ${url}`, { raw: body, headers: { Authorization } });
  expect([answer.status, answer.basis]).toEqual([200, 'documented']);
  for (const [title, path] of Object.entries({ 'SSO claims': '/v1/auth/sso', Login: '/v1/auth/login' })) {
    const shown = [...printed.matchAll(new RegExp(`${title} +(.*)`, 'g'))];
    expect(shown.length).toBeGreaterThan(1);
    for (const [, raw = ''] of shown) expect((await send(`POST ${mock.baseUrl}${path}`, { raw })).status).toBe(200);
  }
  expect((await mock.end()).code).toBe(0);
});

test('faults says what their parameters and terms may be, and a mock takes both', async () => {
  const { stdout } = await runHere(['faults']);
  expect(stdout).toMatch(
    /^ {2}delay +The response takes that much longer: 1000 ms by default\.\n +ms: integer from 0 to 600000/m,
  );
  expect(stdout).toMatch(/^ {2}every: integer from 1 to 1000000 \(Every nth/m);
  expect(stdout).toContain('request, request.method, request.path, request.headers');
  const json = JSON.parse((await runHere(['faults', '--json'])).stdout) as { id: string; parameters: object }[];
  expect(json.find(({ id }) => id === 'drop')?.parameters).toMatchObject({ when: { enum: ['before', 'after'] } });
  // A preset as it is printed, for some requests.
  const unavailable = /--fault '(respond:status=503;headers.Retry-After=2)'/.exec(stdout)?.[1] ?? '';
  await using mock = await startMock({ faults: [`${unavailable};request.path=/v1/api-tokens/*`, 'latency:every=9'] });
  const refused = await fetch(`${mock.baseUrl}/v1/api-tokens/scopes`);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
  expect((await fetch(`${mock.baseUrl}/v1/other`)).status).toBe(404);
});

test('every command is a script of the package', async () => {
  const { stdout } = await runHere(['--help']);
  const listed = stdout.slice(stdout.indexOf('Commands:')).matchAll(/^ {2}([a-z]+)/gm);
  const commands = [...listed].map(([, name = '']) => name).filter((name) => name !== 'help');
  const { scripts } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  expect(commands).toContain('learn');
  for (const name of commands) expect(scripts[name]).toBe(`node dist/src/cli/start.cjs ${name}`);
});
