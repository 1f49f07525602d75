// Examples: a whole app offline, of whose twelve routes seven are documented and two files have the other ones; and one of whose service half is
// mocked, and half is there. What passed is recorded, judged, and served again.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startMock } from 'platform-mock';
import { afterAll, describe, expect, test } from 'vitest';
import { readRunInput } from '../../contract-tests/commands/run-input.ts';
import { verifyHar } from '../../contract-tests/har/recorded.ts';
import { testFolder } from '../../contract-tests/testing/folder.ts';
import { startSecondImplementation } from '../../fixtures/servers/second/server.ts';
import { packageFile } from '../server/files/package-root.ts';
import { claimsOfAda } from '../testing/client.ts';
import { runHere } from '../testing/command.ts';
import { appAt } from './whole-app/app.ts';

const routes = ['routes.yaml', 'routes.ts'].map((name) => packageFile('src', 'examples', 'whole-app', name));

/** An app, and what it did so far: each route with the status and with what answered. */
function watchedApp(baseUrl: string) {
  const send = appAt(baseUrl);
  const seen: string[] = [];
  const step = async (method: string, path: string, body?: Readonly<Record<string, unknown>>) => {
    const answer = await send(method, path, body);
    seen.push(`${method} ${path.replace(/[0-9a-f-]{36}/, '{id}')} ${answer.status} ${answer.basis.split(';')[0]}`);
    return answer.body;
  };
  return { seen, step };
}

describe('an app that needs twelve routes', async () => {
  const mock = await startMock({ routes });
  afterAll(() => mock.close());

  test('runs offline as a whole, in an isolated world', async () => {
    await using world = await mock.sandbox();
    const { seen, step } = watchedApp(world.baseUrl);
    await step('GET', '/v1/health');
    await step('GET', '/v1/health');
    const granted = await step('POST', '/v1/auth/sso', claimsOfAda);
    await step('POST', '/v1/auth/login', { email: 'ada@analytical.example', password: 'ada-password' });
    await step('POST', '/v1/auth/refresh', { refresh_token: granted.refresh_token });
    expect(await step('GET', '/v1/profile')).toMatchObject({ name: 'ada', tenant: 'ten_analytical' });
    const before = await step('GET', '/v1/echo/recordings');
    const made = await step('POST', '/v1/echo/recordings', { title: 'Offline' });
    expect(await step('GET', `/v1/uploads/${made.id}`)).toMatchObject({ recording: made.id });
    await step('PATCH', `/v1/echo/recordings/${made.id}`, { title: 'Still offline' });
    const after = (await step('GET', '/v1/echo/recordings')) as unknown as { id: string; title: string }[];
    expect(after).toHaveLength((before as unknown as unknown[]).length + 1);
    expect(after.find(({ id }) => id === made.id)?.title).toBe('Still offline');
    expect(await step('GET', '/v1/folders')).toEqual({ folders: [{ id: 'fld_calls', name: 'Calls' }] });
    await step('GET', '/v1/api-tokens/scopes');
    await step('POST', '/v1/api-tokens', { name: 'app' });
    await step('GET', '/v1/admin/tenants/ten_analytical/api-keys');

    const answered = (by: string) =>
      new Set(seen.filter((line) => line.endsWith(by)).map((line) => line.split(' 2')[0]));
    expect(seen.filter((line) => !/ 20[01] /.test(line))).toEqual(['GET /v1/health 503 yours']);
    expect(answered(' yours').size - 1).toBe(5 + 1);
    expect(answered('documented').size + answered('assumed').size).toBe(7);
  });
});

const folder = testFolder();

/** The app with its sign-in and its own routes at the mock, recordings and API keys at the other server; judged. */
async function halfMocked() {
  await using real = await startSecondImplementation({ style: { targetAdmin: ['accessToken'] } });
  const file = join(folder, 'none.har');
  const { accessToken: token } = real.target.actors.admin;
  const upstream = { upstream: real.baseUrl, only: ['/v1/echo/recordings/*', '/v1/admin/*'], token };
  const mock = await startMock({ routes, upstream, record: file });
  const { recordingId, tenantId } = real.target.resources;
  const { seen, step } = watchedApp(mock.baseUrl);
  await step('GET', '/v1/health');
  await step('GET', '/v1/health');
  await step('POST', '/v1/auth/sso', claimsOfAda);
  await step('GET', '/v1/profile');
  await step('GET', '/v1/folders');
  const fields = [{ summary: 'What was said.' }, { title: 'Half mocked' }, { summary: 'After that.' }];
  for (const each of fields) await step('PATCH', `/v1/echo/recordings/${recordingId}`, each);
  const keys = `/v1/admin/tenants/${tenantId}/api-keys`;
  const all = (await step('GET', keys)) as unknown as readonly { provider: string }[];
  for (const each of new Set(all.map(({ provider }) => provider))) await step('GET', `${keys}?provider=${each}`);
  await mock.close();
  const report = await verifyHar(file, readRunInput({ allowUntested: ['all'] }));
  return { file, seen, report, token };
}

// That a recording shows defects: verify-har.test.ts.
test('half mocked and half real, the recording conforms, and becomes routes with which the app sees the same offline', async () => {
  const { file, seen, report, token } = await halfMocked();
  expect(report.verdict).toBe('conforms');
  expect(report.requirements.find(({ id }) => id === 'REC-23')?.outcome).toBe('pass');
  // The credential of the real half.
  expect(readFileSync(file, 'utf8')).not.toContain(token);
  const out = join(folder, 'recorded.yaml');
  const made = await runHere(['routes', '--from', file, '--out', out]);
  expect(made).toMatchObject({ code: 0, stderr: expect.stringMatching(/recorded\.yaml: 3 routes of 3 exchanges/) });
  expect(readFileSync(out, 'utf8')).toMatch(
    /^# From none\.har: 3 exchanges below http:.*\n# Left out: 1 refused or failed .*, \d+ of the API itself\./,
  );
  const { code, stderr } = await runHere(['routes', '--from', file, '--out', out]);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/recorded\.yaml: there is such a file/)]);

  await using offline = await startMock({ routes: [out] });
  const again = watchedApp(offline.baseUrl);
  // The answer to the first one, 503, is no route.
  for (const line of seen.slice(1, 5)) {
    const [method = '', path = ''] = line.split(' ');
    await again.step(method, path, method === 'POST' ? claimsOfAda : undefined);
  }
  expect(again.seen).toEqual(seen.slice(1, 5));
  expect(await again.step('GET', '/v1/folders')).toEqual({ folders: [{ id: 'fld_calls', name: 'Calls' }] });
});
