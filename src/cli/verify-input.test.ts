import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allRules } from '../../contract-tests/rules/rules.ts';
import { startMock } from '../index.ts';
import { runHere } from '../testing/command.ts';

const folder = mkdtempSync(join(tmpdir(), 'verify-input-'));
function fileWith(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

// Nothing listens there: a command that sends before it validates its input exits with 3.
const unreachable = ['--base-url', 'http://127.0.0.1:1'];
const misspelt = fileWith('misspelt.yaml', 'name: x\nanswer:\n  error-body: detail\n');
const namesMisspelt = fileWith('target.yaml', `baseUrl: http://127.0.0.1:1\nprofile: ${misspelt}\n`);

describe('invalid input is reported before anything is sent: one line, exit 2', () => {
  test.each([
    [
      ['verify', ...unreachable, '--profile', misspelt],
      /misspelt\.yaml:2: answer is unknown; .*did you mean answers\?/,
    ],
    [
      ['verify', '--target', fileWith('misspelt-target.yaml', 'baseUrll: http://127.0.0.1:1\n')],
      /misspelt-target\.yaml:1: baseUrll is not known; known are: .*; did you mean baseUrl\?$/,
    ],
    [['verify', '--target', namesMisspelt], /misspelt\.yaml:2: answer is unknown/],
    [['learn', ...unreachable, '--profile', misspelt], /misspelt\.yaml:2: answer is unknown/],
    [['verify', ...unreachable, '--profile', 'strct'], /no profile strct: .*did you mean strict\?/],
    [
      ['verify', ...unreachable, '--only', 'sso-token-typ'],
      /--only sso-token-typ: .*--plan' lists them; did you mean sso-token-type/,
    ],
    [['verify', ...unreachable, '--skip', 'nope'], /--skip nope: unknown check or requirement; .*--plan' lists them$/],
    [['verify', ...unreachable, '--allow-untested', 'AUT-8'], /--allow-untested AUT-8: .*; did you mean AUT-08\b/],
    [['verify', ...unreachable, '--quick', '--requests', '100'], /--quick .* --requests .*: leave out one of them/],
    [['verify', ...unreachable, '--compare', '/no/such.json'], /\/no\/such\.json: neither a base URL, nor a file/],
    [['verify', ...unreachable, '--compare', 'http://'], /"http:\/\/" is not a base URL/],
    [
      ['verify', ...unreachable, '--compare', fileWith('other.yaml', 'baseUrl: http://127.0.0.1:1\nprofil: x\n')],
      /other\.yaml:2: profil is not known/,
    ],
    [['verify', ...unreachable, '--compare', namesMisspelt], /misspelt\.yaml:2: answer is unknown/],
    [
      ['verify', ...unreachable, '--compare', fileWith('old.json', '{"schemaVersion":0}')],
      /old\.json: not a report of this version/,
    ],
    [
      [
        'verify',
        ...unreachable,
        '--compare',
        fileWith('cut.json', '{"schemaVersion":1,"checks":[{}],"gaps":[],"target":{}}'),
      ],
      /cut\.json: not a complete report of this version/,
    ],
    [
      ['verify', ...unreachable, '--compare', 'http://127.0.0.1:2', '--report-dir', fileWith('taken', '')],
      /--report-dir .*taken: the reports cannot be written/,
    ],
  ])('%j', async (args, message) => {
    const { code, stdout, stderr } = await runHere(args);
    expect(stderr.trim()).toMatch(message);
    expect(stderr).toMatch(/^platform-mock: [^\n]+\n$/);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  test('several problems are one line, too', async () => {
    const file = fileWith('several.yaml', 'answers:\n  a: 1\n  b: 2\n  c: 3\n  d: 4\n  e: 5\n');
    const { code, stderr } = await runHere(['gaps', '--profile', file]);
    expect(stderr).toMatch(/^platform-mock: .*:2: there is no gap a.*; also .*:4: there is no gap c.*; also 2 more\n$/);
    expect(code).toBe(2);
  });
});

test('verify --plan --json prints the plan as JSON on stdout and as text on stderr, without secrets', async () => {
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

test('a single check is singular', async () => {
  const { stdout } = await runHere(['verify', '--only', 'SSO-01']);
  expect(stdout).toMatch(/^1 check at its own mock/);
});

describe('the password in a base URL', () => {
  test.each([[['--plan']], [['--plan', '--json']], [[]], [['--compare', 'http://127.0.0.1:2']]])(
    'is not printed by verify %j',
    async (args) => {
      const { code, stdout, stderr } = await runHere([
        'verify',
        '--base-url',
        'http://eve:hunter2@127.0.0.1:1',
        ...args,
      ]);
      expect(stdout + stderr).toContain('127.0.0.1:1');
      expect(stdout + stderr).not.toMatch(/hunter2|is a bug/);
      expect(code).toBe(3);
    },
  );

  test('is not in a successful plan either', async () => {
    await using mock = await startMock();
    const url = mock.baseUrl.replace('http://', 'http://eve:hunter2@');
    const { code, stdout, stderr } = await runHere(['verify', '--plan', '--json', '--base-url', url]);
    expect(stdout + stderr).not.toMatch(/hunter2/);
    expect({ code, baseUrl: JSON.parse(stdout).target.baseUrl }).toEqual({ code: 0, baseUrl: `${mock.baseUrl}/` });
  });
});
