/** What commands write of a target, or of a recording, leaves through the outlet, which sieves it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../../contract-tests/testing/folder.ts';
import { browserHar } from '../../contract-tests/testing/har-of.ts';
import { packageFile } from '../server/files/package-root.ts';
import { runHere } from '../testing/command.ts';
import { fileWith } from '../testing/refused.ts';

/** Where texts are written that know nothing of a target, and recordings, which have a sieve of their own. */
const OTHERS =
  /^src\/cli\/(command-line|faults|gaps|spec|score|serve-logs|serve-run|progress|vary)|^contract-tests\/(contract|har\/write-har)/;

test('only the outlet calls the writers of Node', () => {
  const writer =
    /\b(writeFile|writeFileSync|appendFile\w*|createWriteStream|writeSync|console\.\w+)\(|\bstd(out|err)\.write/;
  const sources = ['src/cli', 'contract-tests'].flatMap((folder) =>
    readdirSync(packageFile(folder), { recursive: true }).map((name) => join(folder, String(name))),
  );
  const writing = sources.filter(
    (name) => /^(?!.*\/testing\/).*(?<!\.test)\.ts$/.test(name) && writer.test(readFileSync(packageFile(name), 'utf8')),
  );
  expect(writing.filter((name) => !OTHERS.test(name))).toEqual(['contract-tests/commands/outlet.ts']);
});

const SECRET = 'K2v9Qz81mXwP27LrT5';
const KEYS = 'https://api.example.test/v1/admin/tenants/ten/api-keys';
const json = (value: object) => ({
  method: 'GET',
  responseHeaders: { 'content-type': 'application/json' },
  responseBody: Buffer.from(JSON.stringify(value)),
});
const requestHeaders = { Authorization: `Bearer ${SECRET}` };
const listing = { requestHeaders, ...json({ error: `no list for ${SECRET}` }) };
const har = await browserHar([
  { url: `${KEYS}?code=${SECRET}`, ...listing },
  { url: `https://api.example.test/v1/folders?token=${SECRET}`, ...listing },
  { url: KEYS, status: 401, ...json({ error: { code: 'no_token', message: `no token, such as ${SECRET}` } }) },
]);
const away = fileWith(`baseUrl: http://127.0.0.1:1\nactors: { admin: { accessToken: ${SECRET} } }\n`, 'away.yaml');
const folder = testFolder();

test.each([
  `verify --har ${har} --report-dir ${folder} --sarif ${folder}/f.sarif --history ${folder}/h.jsonl`,
  `verify --har ${har} --json`,
  `verify --target ${away} --report-dir ${folder}`,
  `verify --target ${away} --compare ${away}`,
  `verify --target ${away} --plan --json`,
  `learn --har ${har} --out ${folder}/p.yaml`,
  `learn --har ${har} --json`,
  `routes --from ${har} --out ${folder}/r.yaml`,
  `routes --from ${har}`,
])('%s writes no secret', async (command) => {
  const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(folder, 'summary.md') };
  const { stdout, stderr } = await runHere(command.split(' '), env);
  const written = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  expect(stdout + stderr).not.toBe('');
  expect([stdout, stderr, ...written].filter((text) => text.includes(SECRET))).toEqual([]);
});
