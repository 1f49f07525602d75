// The target files in docs/targets: each is run at a mock, as it is.
import { afterEach, expect, test, vi } from 'vitest';
import type { Report } from '../../contract-tests/model.ts';
import { type VerifyOptions, verify } from '../../contract-tests/testing/judge.ts';
import { startMock } from '../index.ts';
import { packageFile } from '../server/files/package-root.ts';
import { callerOf, claimsOfAda, field } from '../testing/client.ts';

afterEach(() => vi.unstubAllEnvs());

/** Verifies a mock by one of the files; gives the report, and the ids of the recordings that are there afterwards. */
async function verified(name: string, options: VerifyOptions = {}) {
  await using mock = await startMock({ log: () => {} });
  const { body } = await callerOf(mock.baseUrl)('POST /v1/auth/sso', { json: claimsOfAda });
  vi.stubEnv('BASE_URL', mock.baseUrl);
  vi.stubEnv('ADMIN_TOKEN', String(field(body, 'access_token')));
  const report = await verify({ target: packageFile('docs', 'targets', name), probe: false, ...options });
  const { text } = await callerOf(mock.baseUrl)('GET /_mock/state/recordings');
  return { report, recordings: text };
}

const open = ({ requirements }: Report): string[] =>
  requirements.filter(({ outcome }) => outcome === 'untested' || outcome === 'blocked').map(({ id }) => id);

test('single sign-on without passwords: all but the password login', async () => {
  const { report } = await verified('sso.yaml', { allowUntested: ['AUT-08', 'GEN-01'] });
  expect(report).toMatchObject({ verdict: 'conforms', exitCode: 0 });
  expect(open(report)).toEqual(['REC-41', 'AUT-08', 'AUT-12', 'GEN-01']);
});

test('made for a pipeline: tokens and recording from commands, and nothing of them stays', async () => {
  const { report, recordings } = await verified('pipeline.yaml', { allowUntested: ['all'] });
  expect(report).toMatchObject({ verdict: 'conforms', exitCode: 0 });
  expect(report.requirements.find(({ id }) => id === 'REC-41')?.outcome).toBe('pass');
  expect(recordings).toContain('rec_kickoff');
  expect(recordings).not.toMatch(/"rec_[0-9a-f]{8}-/);
});

test('read-only: nothing is written, and what that leaves open is named', async () => {
  const { report } = await verified('read-only.yaml', { allowWrites: false });
  expect(report).toMatchObject({ verdict: 'inconclusive', exitCode: 4, requests: { writes: 0 } });
  expect(report.requirements.find(({ id }) => id === 'KEY-02')?.outcome).toBe('pass');
  expect(open(report)).toContain('REC-22');
});
