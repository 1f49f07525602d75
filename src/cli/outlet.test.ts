/** What commands write of a target, or of a recording, leaves through the outlet, which sieves it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { jwtOf } from '../../contract-tests/testing/fixtures.ts';
import { testFolder } from '../../contract-tests/testing/folder.ts';
import { browserHar } from '../../contract-tests/testing/har-of.ts';
import { packageFile } from '../server/files/package-root.ts';
import { runHere } from '../testing/command.ts';
import { fileWith } from '../testing/refused.ts';

/** Where texts are written that know nothing of a target, files of the repository, and recordings, which have a sieve of their own. */
const OTHERS = /^src\/(cli\/(command-line|faults|gaps|spec)|score)|^contract-tests\/(contract|har\/write-har)/;

test('only the outlet calls the writers of Node', () => {
  const writer =
    /\b(writeFile|writeFileSync|appendFile\w*|createWriteStream|writeSync|console\.\w+)\(|\bstd(out|err)\.write/;
  const sources = ['src/cli', 'src/vary', 'src/score', 'contract-tests'].flatMap((folder) =>
    readdirSync(packageFile(folder), { recursive: true }).map((name) => join(folder, String(name))),
  );
  const writing = sources.filter(
    (name) => /^(?!.*\/testing\/).*(?<!\.test)\.ts$/.test(name) && writer.test(readFileSync(packageFile(name), 'utf8')),
  );
  expect(writing.filter((name) => !OTHERS.test(name))).toEqual(['contract-tests/commands/outlet.ts']);
});

const [SECRET, REFRESH] = ['b7Xn3Qm9LwPe5RtYz', 'freshK2v9Qz81mXwP27LrT5'];
const [oid, upn] = ['7f9c2ba4-e88f-427d-b6e5-0a1c3d5e7f90', 'ada@people.test'];
const TOKEN = jwtOf({ sub: 'ada' }, 'SIGNATUREssoK2v9Qz81mXwP27LrT5');
const BASE = 'https://api.example.test';
const KEYS = `${BASE}/v1/admin/tenants/ten/api-keys`;
const answered = (value: object) => ({
  responseHeaders: { 'content-type': 'application/json' },
  responseBody: Buffer.from(JSON.stringify(value)),
});
const listing = (token: string) => ({
  method: 'GET',
  requestHeaders: { Authorization: `Bearer ${token}` },
  ...answered({ error: `no list for ${token}, ${REFRESH} and ${upn} (${oid})` }),
});
const har = await browserHar([
  {
    url: `${BASE}/v1/auth/sso`,
    requestBody: Buffer.from(JSON.stringify({ oid, tid: 't', upn })),
    ...answered({ access_token: TOKEN, refresh_token: REFRESH }),
  },
  { url: KEYS, ...listing(TOKEN) },
  { url: `${KEYS}?code=${SECRET}`, ...listing(SECRET) },
  { url: `${BASE}/v1/folders?token=${SECRET}`, ...listing(SECRET) },
  { method: 'GET', url: KEYS, status: 401, ...answered({ error: { message: `no token, such as ${SECRET}` } }) },
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
  const texts = [stdout, stderr, ...written];
  expect(stdout + stderr).not.toBe('');
  for (const secret of [SECRET, REFRESH, TOKEN, oid, upn])
    expect(texts.filter((text) => text.includes(secret))).toEqual([]);
  // Each mark says whose it is.
  if (/^verify --har \S+ --json$/.test(command))
    expect(stdout).toContain('no list for ‹user 1.accessToken›, ‹user 1.refreshToken› and ‹upn› (‹oid›)');
});
