import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testFolder } from '../../contract-tests/testing/folder.ts';
import { startMock } from '../index.ts';
import { loadProfile } from '../server/files/profile-file.ts';
import { runHere } from '../testing/command.ts';

const folder = testFolder();
const file = (name: string): string => join(folder, name);

describe('learn', () => {
  // docs/profiles.md has one written, and serves it.
  test('prints the profile without --out, and JSON with --json', async () => {
    await using mock = await startMock({ port: 0 });
    writeFileSync(file('p.yaml'), (await runHere(['learn', '--base-url', mock.baseUrl])).stdout);
    expect(loadProfile(file('p.yaml')).differences()).toEqual({});
    const json = JSON.parse((await runHere(['learn', '--base-url', mock.baseUrl, '--json'])).stdout);
    expect(json).toMatchObject({ answers: { 'error-body': 'error-object' } });
  });

  test('unreachable target: exit 3, one line', async () => {
    const ended = await runHere(['learn', '--base-url', 'http://127.0.0.1:1']);
    expect(ended).toEqual({
      stdout: '',
      stderr: 'platform-mock: http://127.0.0.1:1 cannot be reached: connection refused.\n',
      code: 3,
    });
  });
});

describe('verify --compare', () => {
  test('with another profile: one line per difference, exit 1', async () => {
    await using mock = await startMock({ port: 0 });
    await using other = await startMock({ port: 0, profile: { answers: { 'validation-status': 422 } } });
    const words = ['verify', '--base-url', mock.baseUrl, '--compare', other.baseUrl, '--json'];
    const { code, stdout } = await runHere([...words, '--report-dir', file('compared')]);
    const { differences } = JSON.parse(stdout) as Record<'differences', { text: string }[]>;
    expect(JSON.parse(readFileSync(file('compared/comparison.json'), 'utf8'))).toEqual(JSON.parse(stdout));
    expect(readFileSync(file('compared/comparison.txt'), 'utf8')).toContain(
      '- gap validation-status: 400 at A, 422 at B\n',
    );
    for (const side of ['a', 'b']) expect(existsSync(file(`compared/${side}/report.html`))).toBe(true);
    expect(differences.map(({ text }) => text)).toEqual(['gap validation-status: 400 at A, 422 at B']);
    expect(code).toBe(1);
  });

  test('with the report of an earlier run: no differences, exit 0', async () => {
    await using mock = await startMock({ port: 0 });
    const words = ['verify', '--quick', '--base-url', mock.baseUrl];
    await runHere([...words, '--report-dir', folder]);
    const { code, stdout } = await runHere([...words, '--compare', file('report.json')]);
    expect(stdout).toMatch(/\n0 differences in \d+ checks and \d+ gaps that both showed\.\n$/);
    expect(code).toBe(0);
  });
});
