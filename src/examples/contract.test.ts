// Example: Vitest with the contract suite as tests (the folder contract).
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withFiles } from '../../contract-tests/testing/fixtures.ts';
import { startSecondImplementation } from '../../fixtures/servers/second/server.ts';
import { packageFile } from '../server/files/package-root.ts';

interface Results {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { title: string; status: string; failureMessages: string[] }[];
  }[];
}

/** Runs the tests of a project in a separate process; gives the results of each file, with those that are no successes. */
async function run(folder: string, env: NodeJS.ProcessEnv = {}) {
  const stdout = await new Promise<string>((resolve) => {
    const options = { cwd: folder, env: { ...process.env, VITEST: undefined, BASE_URL: undefined, ...env } };
    const words = [packageFile('node_modules', 'vitest', 'vitest.mjs'), 'run', '--reporter=json'];
    execFile(process.execPath, words, options, (_error, text) => resolve(text));
  });
  const { testResults } = JSON.parse(stdout) as Results;
  return new Map(
    testResults.map(({ name, status, message, assertionResults: tests }) => {
      const of = (wanted: string): string[] =>
        tests.filter((each) => each.status === wanted).map(({ title }) => title.replace(/:.*/, ''));
      const told = [message, ...tests.flatMap((each) => each.failureMessages)].join('\n');
      const results = { status, passed: of('passed'), failed: of('failed'), skipped: of('skipped'), told };
      return [basename(name, '.spec.js'), results] as const;
    }),
  );
}

describe('the contract suite as tests', () => {
  const example = join(import.meta.dirname, 'contract');
  const ofExample = async (env?: NodeJS.ProcessEnv) => (await run(example, env)).get('contract.spec.ts');

  test('at a mock of their own, and at BASE_URL', async () => {
    const own = await ofExample();
    expect(own, own?.told).toMatchObject({ status: 'passed', failed: [] });
    expect(own?.passed.length).toBeGreaterThan(100);
    const told = expect.stringContaining('http://127.0.0.1:1 cannot be reached: connection refused.');
    expect(await ofExample({ BASE_URL: 'http://127.0.0.1:1' })).toMatchObject({ status: 'failed', passed: [], told });
  });

  const options = {
    violated: "only: ['sso-access-token-jwt', 'sso-token-type', 'OUR-01'], rules: ['rules.js'], requests: 60",
    untested: "only: ['sso-access-token-jwt', 'login-jwt']",
    waived: "only: ['sso-access-token-jwt', 'login-jwt'], allowUntested: ['AUT-08']",
    mistaken: "only: ['no-such-check']",
  };

  test('fail at a violation and at what could not be tested, unless it is waived; the reason is shown', async () => {
    await using server = await startSecondImplementation({ style: 'minimal', defects: ['sso-token-type-capitalised'] });
    const specs = Object.entries(options).map(([name, written]) => [
      `${name}.spec.js`,
      `import { contractTests } from 'platform-mock/contract';\ncontractTests({ target: 'target.yaml', ${written} });\n`,
    ]);
    const rules = `export default { id: 'our-rule', requirements: ['OUR-01'], title: 't', judge: ({ entries }) => [{ state: 'shown', by: [entries[0]] }] };`;
    const files = { 'target.yaml': server.target, 'rules.js': rules, ...Object.fromEntries(specs) };
    const results = await withFiles(files, (path) => {
      mkdirSync(path('node_modules'));
      symlinkSync(packageFile(), path('node_modules/platform-mock'), 'junction');
      return run(path('.'));
    });
    const shown = /SSO-06 \(section 4\.1\).*token_type "Bearer".*curl -i -X POST.*1 of 3 requirements is violated/s;
    expect(Object.fromEntries(results)).toMatchObject({
      violated: {
        passed: ['sso-access-token-jwt', 'our-rule'],
        failed: ['sso-token-type', 'verdict'],
        told: expect.stringMatching(shown),
      },
      untested: {
        failed: ['login-jwt', 'verdict'],
        told: expect.stringContaining('the target file has no actors.admin.login'),
      },
      waived: { status: 'passed', failed: [], skipped: ['login-jwt'] },
      mistaken: { status: 'failed', told: expect.stringContaining('no-such-check: unknown check') },
    });
  });
});
