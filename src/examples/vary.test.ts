// `vary` at suites as teams have them: Vitest with MSW, Jest.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../../contract-tests/testing/folder.ts';
import { packageFile } from '../server/files/package-root.ts';
import { answersThatBreak } from '../testing/app-tests.ts';
import { runCommand } from '../testing/command.ts';

/** Runs `vary` with a command that writes a JUnit file. */
async function varied(commandFor: (junit: string) => readonly string[], ...options: string[]) {
  const folder = testFolder();
  const junit = join(folder, 'results.xml');
  // The first run, and one under another answer.
  const words = ['vary', '--report-dir', folder, '--junit', junit, '--max-runs', '2', ...options];
  const { code, stderr } = await runCommand([...words, '--', process.execPath, ...commandFor(junit)]);
  expect([code, stderr]).toEqual([1, expect.stringContaining('Your tests pass.')]);
  return answersThatBreak(JSON.parse(readFileSync(join(folder, 'vary.json'), 'utf8')));
}

const suites = packageFile('src', 'examples', 'vary');

const vitest = (junit: string): string[] => {
  const words = [packageFile('node_modules', 'vitest', 'vitest.mjs'), 'run', '--root', suites];
  return [...words, '--reporter=junit', `--outputFile=${junit}`];
};

test('Vitest with MSW: the door takes the answers from the environment, and tells what responses rested on', async () => {
  expect(await varied(vitest, '--only', 'unknown-recording-status')).toEqual({
    'unknown-recording-status: 403': ['an unknown recording is named'],
  });
});

const jest = packageFile('src', 'examples', 'clients', 'node_modules');

// CI installs it with the clients.
test.skipIf(!existsSync(jest) && !process.env.CI)('Jest, whose reporter writes where a variable says', async () => {
  const program = join(jest, 'jest', 'bin', 'jest.js');
  const words = [program, '--rootDir', join(suites, 'jest'), '--testMatch', '**/*.test.cjs'];
  const reporters = ['--testTimeout', '300000', '--reporters', join(jest, 'jest-junit')];
  expect(await varied(() => [...words, ...reporters], '--only', 'missing-credentials-status')).toEqual({
    'missing-credentials-status: 403': ['who has not signed in is asked to'],
  });
});
