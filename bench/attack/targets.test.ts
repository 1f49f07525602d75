import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { withServer } from '../../contract-tests/testing/fixtures.ts';
import { testFolder } from '../../contract-tests/testing/folder.ts';
import {
  CANARIES,
  echoed,
  HOSTILE_TARGETS,
  hostileTarget,
  listenerOf,
} from '../../contract-tests/testing/hostile-targets.ts';
import { runCommand } from '../../src/testing/command.ts';

/** Of the canaries that are secrets, no spelling may be seen. A claim is secret as a whole: what holds a part of it is another value. */
const forbidden = [
  ...[CANARIES.password, CANARIES.edgePass, String(CANARIES.pin)].flatMap(echoed),
  ...echoed(CANARIES.oid).filter((text) => text === CANARIES.oid || !CANARIES.oid.includes(text)),
];
/** What commands a terminal or CI, in a line that is not an annotation of ours. */
const commands = /(?![\n\t])\p{Cc}|^\s*::(?!(?:error|warning) title=)|##\[/mu;

/** `npm run attack` takes all. */
const attacked = process.env.ATTACK
  ? HOSTILE_TARGETS
  : HOSTILE_TARGETS.filter(({ id }) => ['commands', 'echo', 'names', 'objects'].includes(id));

// Each is judged in time, without telling a credential or passing on a command.
test.for(attacked)('$id: a server that $description', async (target, { expect }) => {
  const folder = testFolder();
  const [file, reports] = [join(folder, 'target.json'), join(folder, 'reports')];
  const flags = ['--quick', '--json', '--timeout', '3000', '--report-dir', reports];
  const env = { GITHUB_ACTIONS: 'true', TMPDIR: folder };
  const { code, stdout, stderr } = await withServer(listenerOf(target), (baseUrl) => {
    writeFileSync(file, JSON.stringify(hostileTarget(baseUrl)));
    return runCommand(['verify', '--target', file, ...flags], env);
  });
  expect(code).toBeGreaterThan(0);
  expect(stderr).not.toContain('this is a bug');
  expect(stdout + stderr).not.toMatch(commands);
  const written = readdirSync(reports).map((name) => readFileSync(join(reports, name), 'utf8'));
  for (const text of [stdout, stderr, ...written])
    expect(forbidden.filter((secret) => text.includes(secret))).toEqual([]);
  expect(readdirSync(folder).filter((name) => name.startsWith('platform-mock-'))).toEqual([]);
});
