import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError } from '../../core/spec/config-error.ts';
import { recordingStatuses } from '../../core/world/records.ts';
import { loadFixtures } from './fixtures.ts';
import { packageFile } from './package-root.ts';

function folderWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'fixtures-'));
  writeFileSync(join(folder, 'data.yaml'), text);
  return folder;
}

function reasonsFor(text: string): readonly string[] {
  const folder = folderWith(text);
  try {
    loadFixtures(folder);
  } catch (error) {
    if (error instanceof ConfigError) return error.reasons.map((reason) => reason.replace(`${folder}/`, ''));
    throw error;
  }
  return [];
}

test('the shipped fixtures are valid and contain what the tests need', () => {
  const fixtures = loadFixtures(packageFile('fixtures'));
  expect(loadFixtures()).toEqual(fixtures);
  expect(new Set(fixtures.recordings.map((recording) => recording.status))).toEqual(new Set(recordingStatuses));
  expect(new Set(fixtures.api_keys.map((key) => key.provider))).toEqual(new Set([1, 2, 3, 4, 5, 6, 7]));
  expect(new Set(fixtures.api_keys.map((key) => key.status)).size).toBeGreaterThan(1);
  expect(fixtures.users.some((user) => !user.confirmed)).toBe(true);
  expect(new Set(fixtures.users.map((user) => user.tenant)).size).toBe(2);
});

const tenant = 'tenants:\n  - { id: t, name: T, tid: x }\n';

test.each([
  ['tenants:\n  - id: t\n    name: T\n', 'data.yaml:2: tenants.0.tid is missing'],
  [
    'tenants:\n  - { id: t, name: T, tid: x }\n  - { id: t, name: U, tid: y }\n',
    'data.yaml:3: the id t is used twice in tenants',
  ],
  ['colours: []\n', 'data.yaml:1: colours is unknown'],
  [
    `${tenant}api_keys:\n  - id: k\n    tenant: u\n    provider: 1\n    name: K\n    status: 1\n    created_at: "2025-01-01T00:00:00.000Z"\n`,
    'data.yaml:5: api_keys: there is no tenant u',
  ],
  [
    `${tenant}api_keys:\n  - id: k\n    tenant: t\n    provider: openai\n    name: K\n    status: 1\n    created_at: "2025-01-01T00:00:00.000Z"\n`,
    'data.yaml:6: api_keys.0.provider must be integer',
  ],
  [
    'recordings:\n  - id: r\n    title: T\n    filename: f\n    status: done\n    user: u\n    created_at: yesterday\n',
    'data.yaml:5: recordings.0.status must be one of pending, processing, completed, failed',
  ],
])('%j is refused', (text, reason) => {
  expect(reasonsFor(text)).toContain(reason);
});

test('a folder without fixtures is refused', () => {
  expect(() => loadFixtures('/no/such')).toThrow('fixtures folder /no/such: cannot be read (ENOENT)');
  expect(() => loadFixtures(mkdtempSync(join(tmpdir(), 'fixtures-')))).toThrow('has no .yaml file');
});
