import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../../../contract-tests/testing/folder.ts';
import { fileWith, reasonsOf } from '../../testing/refused.ts';
import { loadFixtures } from './fixtures.ts';
import { packageFile } from './package-root.ts';

test('the shipped fixtures are those of the folder', () => {
  expect(loadFixtures()).toEqual(loadFixtures(packageFile('fixtures')));
});

const tenant = 'tenants:\n  - { id: t, name: T, tid: x }\n';

const key = (of: string, provider: string): string =>
  `${tenant}api_keys:\n  - { id: k, tenant: ${of}, provider: ${provider}, name: K, status: 1, created_at: "2025-01-01T00:00:00.000Z" }\n`;
const recording = '{ id: r, title: T, filename: f, status: done, user: u, created_at: yesterday }';

test.each([
  ['tenants:\n  - id: t\n    name: T\n', 'FILE:2: tenants.0.tid is missing'],
  [`${tenant}  - { id: t, name: U, tid: y }\n`, 'FILE:3: the id t is used twice in tenants'],
  ['colours: []\n', 'FILE:1: colours is unknown'],
  [key('u', '1'), 'FILE:4: api_keys: there is no tenant u'],
  [key('t', 'openai'), 'FILE:4: api_keys.0.provider must be integer'],
  [`recordings: [${recording}]`, 'FILE:1: recordings.0.status must be one of pending, processing, completed, failed'],
])('%j is refused', async (text, reason) => {
  const file = fileWith(text);
  expect(await reasonsOf(() => loadFixtures(dirname(file)), file)).toContain(reason);
});

test('a folder without fixtures is refused', () => {
  expect(() => loadFixtures('/no/such')).toThrow('fixtures folder /no/such: cannot be read (ENOENT)');
  expect(() => loadFixtures(testFolder())).toThrow('has no .yaml file');
});

test('the missing file is named, not each reference into it', async () => {
  const file = fileWith(
    'recordings: [{ id: r, title: T, filename: f, status: failed, user: u, created_at: "2025-01-01T00:00:00.000Z" }]',
  );
  expect(await reasonsOf(() => loadFixtures(dirname(file)), dirname(file))).toEqual([
    'fixtures folder FILE: has no users (usually users.yaml), and its recordings name some',
  ]);
});
