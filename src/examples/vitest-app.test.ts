// Example: the Vitest of an app, with one mock for all test files (the folder vitest-app), as the README has it.
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

test("the app's own tests run against it", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [vitest, 'run', '--reporter=json'], {
    cwd: join(import.meta.dirname, 'vitest-app'),
    env: { ...process.env, VITEST: undefined },
  });
  expect(JSON.parse(stdout)).toMatchObject({ success: true, numPassedTests: 1 });
});
