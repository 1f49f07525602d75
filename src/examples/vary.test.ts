// `vary` at suites as teams have them: Vitest with MSW, and a page in Chromium.
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../server/files/package-root.ts';
import { hasBrowser } from '../testing/browser.ts';
import { runCommand } from '../testing/command.ts';
import { answersThatBreak } from '../vary/report-text.ts';

/** Runs `vary` with the specs of that name in examples/vary. */
async function varied(name: string, ...options: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'vary-example-'));
  const junit = join(folder, 'results.xml');
  const vitest = [process.execPath, packageFile('node_modules', 'vitest', 'vitest.mjs'), 'run', name];
  const reporter = ['--root', packageFile('src', 'examples', 'vary'), '--reporter=junit', `--outputFile=${junit}`];
  const words = ['vary', '--report-dir', folder, '--junit', junit, ...options, '--', ...vitest, ...reporter];
  const { code, stderr } = await runCommand(words);
  expect([code, stderr]).toEqual([1, expect.stringContaining('Your tests pass.')]);
  return answersThatBreak(JSON.parse(readFileSync(join(folder, 'vary.json'), 'utf8')));
}

test('Vitest with MSW: the door takes the answers from the environment, and tells what responses rested on', async () => {
  expect(await varied('msw', '--only', 'unknown-recording-status', 'wrong-type')).toEqual({
    'unknown-recording-status: 403': ['an unknown recording is named'],
    'unknown-recording-status: 400': ['an unknown recording is named'],
    'wrong-type: "coerce"': ['a title that is refused is explained'],
  });
});

test.skipIf(!hasBrowser)('a page in Chromium, with the variable of the app', async () => {
  expect(await varied('page', '--env', 'API_URL', '--only', 'missing-credentials-status')).toEqual({
    'missing-credentials-status: 403': ['who has not signed in is asked to'],
  });
});
