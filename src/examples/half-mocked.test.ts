// Example: half of an app's service is mocked, and half is there. What passed is recorded, judged, and served again.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startMock } from 'platform-mock';
import { expect, test } from 'vitest';
import { readRunInput } from '../../contract-tests/commands/run-input.ts';
import { verifyHar } from '../../contract-tests/har/recorded.ts';
import { testFolder } from '../../contract-tests/testing/folder.ts';
import {
  type DefectId,
  type SecondImplementation,
  startSecondImplementation,
} from '../../fixtures/servers/second/server.ts';
import { packageFile } from '../server/files/package-root.ts';
import { runHere } from '../testing/command.ts';
import { appAt } from './whole-app/app.ts';

const routes = ['routes.yaml', 'routes.ts'].map((name) => packageFile('src', 'examples', 'whole-app', name));
const folder = testFolder();

const claims = {
  oid: '0a6d3f18-52c7-4b1e-8f09-6b9c4d2e7a31',
  tid: '7c1f0a52-3b64-4e0c-9d51-0f6a3c2b8e10',
  upn: 'ada@analytical.example',
};

/** What the app does: it signs in, looks at its profile and folders, edits a recording, and looks through the API keys. */
async function useApp(baseUrl: string, { recordingId, tenantId }: SecondImplementation['target']['resources']) {
  const app = appAt(baseUrl);
  const answers: unknown[] = [];
  const send = async (...call: Parameters<typeof app.send>) => {
    const { body, status } = await app.send(...call);
    answers.push([call[0], call[1], status]);
    return body;
  };
  await send('GET', '/v1/health');
  await send('GET', '/v1/health');
  await send('POST', '/v1/auth/sso', claims);
  await send('GET', '/v1/profile');
  await send('GET', '/v1/folders');
  const recording = `/v1/echo/recordings/${recordingId}`;
  const keys = `/v1/admin/tenants/${tenantId}/api-keys`;
  await send('PATCH', recording, { summary: 'What was said.' });
  await send('PATCH', recording, { title: 'Half mocked' });
  await send('PATCH', recording, { summary: 'After that.' });
  const all = (await send('GET', keys)) as unknown as readonly { provider: string }[];
  for (const each of new Set(all.map(({ provider }) => provider))) await send('GET', `${keys}?provider=${each}`);
  return answers;
}

/** The app with its sign-in and its own routes at the mock, recordings and API keys at the other server; judged. */
async function halfMocked(defects: DefectId[] = []) {
  await using real = await startSecondImplementation({ style: { targetAdmin: ['accessToken'] }, defects });
  const file = join(folder, `${defects.join() || 'none'}.har`);
  const { accessToken: token } = real.target.actors.admin;
  const upstream = { upstream: real.baseUrl, only: ['/v1/echo/recordings/*', '/v1/admin/*'], token };
  const mock = await startMock({ routes, upstream, record: file });
  const answers = await useApp(mock.baseUrl, real.target.resources).finally(mock.close);
  const report = await verifyHar(file, readRunInput({ allowUntested: ['all'] }));
  const found = report.checks.filter(({ outcome }) => outcome === 'violation');
  return { file, answers, report, violated: new Set(found.flatMap(({ requirements }) => requirements)), token };
}

test('half mocked and half real, the recording conforms; the credential of the real half is not in it', async () => {
  const { report, violated, file, token } = await halfMocked();
  expect([...violated]).toEqual([]);
  expect(report.verdict).toBe('conforms');
  expect(readFileSync(file, 'utf8')).not.toContain(token);
});

/** Of the real half, each seen by another part of the recording. That a recording shows all of them: verify-har.test.ts. */
const shown: readonly [DefectId, requirement: string][] = [
  ['keys-filtered-text', 'GEN-01'],
  ['keys-provider-filter-ignored', 'KEY-11'],
  ['update-title-not-kept', 'REC-23'],
  ['recording-partial-for-one-field', 'REC-07'],
];

test.each(shown)('%s of the real half violates %s', async (defect, requirement) => {
  const { violated, report } = await halfMocked([defect]);
  expect([...violated]).toContain(requirement);
  expect(report.exitCode).toBe(1);
});

/** A sign-in that is at the mock, and so shows nothing. */
test('a defect that the app does not come across is no violation', async () => {
  expect([...(await halfMocked(['sso-access-token-opaque'])).violated]).toEqual([]);
});

test('a recording becomes routes, with which the app runs offline and sees the same', async () => {
  const { file, answers } = await halfMocked();
  const out = join(folder, 'recorded.yaml');
  const made = await runHere(['routes', '--from', file, '--out', out]);
  expect(made).toMatchObject({ code: 0, stderr: expect.stringMatching(/recorded\.yaml: 3 routes of 3 exchanges/) });
  expect(readFileSync(out, 'utf8')).toMatch(
    /^# From none\.har: 3 exchanges below http:.*\n# Left out: 1 refused or failed .*, \d+ of the API itself\./,
  );
  const { code, stderr } = await runHere(['routes', '--from', file, '--out', out]);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/recorded\.yaml: there is such a file/)]);

  await using offline = await startMock({ routes: [out] });
  const app = appAt(offline.baseUrl);
  const again: unknown[] = [];
  for (const [method, path] of answers.slice(1, 5) as [string, string, number][]) {
    const { status } = await app.send(method, path, method === 'POST' ? claims : undefined);
    again.push([method, path, status]);
  }
  expect(again).toEqual(answers.slice(1, 5));
  expect((await app.send('GET', '/v1/folders')).body).toEqual({ folders: [{ id: 'fld_calls', name: 'Calls' }] });
});
