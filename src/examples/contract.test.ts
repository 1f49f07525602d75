// Example: Vitest with the contract suite as tests (the folder contract).
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withFiles } from '../../contract-tests/testing/fixtures.ts';
import { startSecondImplementation } from '../../fixtures/servers/second/server.ts';
import { packageFile } from '../server/files/package-root.ts';

interface Results {
  success: boolean;
  testResults: { message: string; assertionResults: { title: string; status: string; failureMessages: string[] }[] }[];
}

/** Runs the tests of a project in a separate process; gives its results, with those that are no successes. */
async function run(folder: string, env: NodeJS.ProcessEnv = {}) {
  const stdout = await new Promise<string>((resolve) => {
    const options = { cwd: folder, env: { ...process.env, VITEST: undefined, BASE_URL: undefined, ...env } };
    const words = [packageFile('node_modules', 'vitest', 'vitest.mjs'), 'run', '--reporter=json'];
    execFile(process.execPath, words, options, (_error, text) => resolve(text));
  });
  const { success, testResults } = JSON.parse(stdout) as Results;
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const of = (wanted: string): string[] =>
    tests.filter(({ status }) => status === wanted).map(({ title }) => title.replace(/:.*/, ''));
  const told = [...testResults.map(({ message }) => message), ...tests.flatMap((each) => each.failureMessages)];
  return { success, passed: of('passed'), failed: of('failed'), skipped: of('skipped'), told: told.join('\n') };
}

describe('the contract suite as tests', () => {
  const example = join(import.meta.dirname, 'contract');

  test('at a mock of their own, and at BASE_URL', async () => {
    const { success, passed, failed, told: why } = await run(example);
    expect({ success, failed }, why).toEqual({ success: true, failed: [] });
    expect(passed.length).toBeGreaterThan(100);
    const { success: isReached, passed: none, told } = await run(example, { BASE_URL: 'http://127.0.0.1:1' });
    expect({ isReached, none, told }).toEqual({
      isReached: false,
      none: [],
      told: expect.stringContaining('http://127.0.0.1:1 cannot be reached: connection refused.'),
    });
  });

  /** Runs them with these options, written as code, in a project that has the package, at an implementation with a defect. */
  async function contract(options: string) {
    await using server = await startSecondImplementation({ style: 'minimal', defects: ['sso-token-type-capitalised'] });
    const spec = `import { contractTests } from 'platform-mock/contract';\ncontractTests({ target: 'target.yaml', ${options} });\n`;
    const rules = `export default { id: 'our-rule', requirements: ['OUR-01'], title: 't', judge: ({ entries }) => [{ state: 'shown', by: [entries[0]] }] };`;
    const files = { 'target.yaml': server.target, 'contract.spec.js': spec, 'rules.js': rules };
    return await withFiles(files, (path) => {
      mkdirSync(path('node_modules'));
      symlinkSync(packageFile(), path('node_modules/platform-mock'), 'junction');
      return run(path('.'));
    });
  }

  test('a violation fails, with requirement, observation and curl line', async () => {
    const { passed, failed, told } = await contract(
      "only: ['sso-access-token-jwt', 'sso-token-type', 'OUR-01'], rules: ['rules.js'], requests: 60",
    );
    expect(failed).toEqual(['sso-token-type', 'verdict']);
    expect(passed).toEqual(['sso-access-token-jwt', 'our-rule']);
    expect(told).toMatch(
      /SSO-06 \(section 4\.1\).*token_type "Bearer".*curl -i -X POST.*1 of 3 requirements is violated/s,
    );
  });

  test('what could not be tested fails unless it is waived; then it is skipped', async () => {
    const { failed, told } = await contract("only: ['sso-access-token-jwt', 'login-jwt']");
    expect(failed).toEqual(['login-jwt', 'verdict']);
    expect(told).toContain('the target file has no actors.admin.login');
    const waived = await contract("only: ['sso-access-token-jwt', 'login-jwt'], allowUntested: ['AUT-08']");
    expect(waived).toMatchObject({ success: true, failed: [], skipped: ['login-jwt'] });
  });

  test('an option that cannot be used fails, in one clear line', async () => {
    const { success, told } = await contract("only: ['no-such-check']");
    expect({ success, told }).toEqual({
      success: false,
      told: expect.stringContaining('no-such-check: unknown check'),
    });
  });
});
