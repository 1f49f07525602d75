import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startMock } from '../index.ts';
import { loadProfile } from '../server/files/profile-file.ts';
import { registerLearn } from './learn.ts';
import { registerVerify } from './verify.ts';

let folder: string;
const file = (name: string): string => join(folder, name);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platform-mock-test-'));
});

afterEach(async () => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
  await rm(folder, { recursive: true });
});

/** Runs a command in this process. */
async function run(...words: string[]): Promise<{ out: string; err: string; exitCode: unknown }> {
  const written = { out: '', err: '' };
  const collect = (to: 'out' | 'err') => (text: string | Uint8Array) => {
    written[to] += String(text);
    return true;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(collect('out'));
  vi.spyOn(process.stderr, 'write').mockImplementation(collect('err'));
  const program = new Command().exitOverride();
  registerLearn(program);
  registerVerify(program);
  try {
    await program.parseAsync(['node', 'platform-mock', ...words]);
    return { ...written, exitCode: process.exitCode };
  } finally {
    vi.restoreAllMocks();
    process.exitCode = undefined;
  }
}

describe('learn', () => {
  test('writes a profile that can be served, and says on stderr what was done', async () => {
    await using mock = await startMock({ port: 0, profile: 'hidden-existence' });
    const { out, err, exitCode } = await run('learn', '--base-url', mock.baseUrl, '--out', file('p.yaml'));
    expect({ out, exitCode }).toEqual({ out: '', exitCode: 0 });
    expect(err).toMatch(/^\d+ answers learned at http:/);
    expect(loadProfile(file('p.yaml')).get('forbidden-status')).toBe(404);
    expect(await readFile(file('p.yaml'), 'utf8')).toMatch(/-> 404.*\n {2}forbidden-status: 404\n/);
  });

  test('prints the profile without --out, and JSON with --json', async () => {
    await using mock = await startMock({ port: 0 });
    await writeFile(file('p.yaml'), (await run('learn', '--base-url', mock.baseUrl)).out);
    expect(loadProfile(file('p.yaml')).differences()).toEqual({});
    const json = JSON.parse((await run('learn', '--base-url', mock.baseUrl, '--json')).out);
    expect(json).toMatchObject({ answers: { 'error-body': 'error-object' }, conflicts: [] });
  });

  test('nobody there: exit 3, one line', async () => {
    const { out, err, exitCode } = await run('learn', '--base-url', 'http://127.0.0.1:1');
    expect({ out, err, exitCode }).toEqual({
      out: '',
      err: 'platform-mock: http://127.0.0.1:1 cannot be reached: connection refused.\n',
      exitCode: 3,
    });
  });

  test('neither URL nor target file is a usage error', async () => {
    await expect(run('learn')).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining('--target'),
    });
  });
});

describe('verify --compare', () => {
  test('with itself: alike, exit 0; with another profile: a line for each difference, exit 1', async () => {
    await using mock = await startMock({ port: 0 });
    await using other = await startMock({ port: 0, profile: { answers: { 'validation-status': 422 } } });
    const alike = await run('verify', '--base-url', mock.baseUrl, '--compare', mock.baseUrl);
    expect(alike.out).toMatch(/\n0 differences in \d+ checks and \d+ gaps that both showed\.\n$/);
    expect(alike.exitCode).toBe(0);
    const different = await run('verify', '--base-url', mock.baseUrl, '--compare', other.baseUrl, '--json');
    expect(different.exitCode).toBe(1);
    const { differences } = JSON.parse(different.out) as { differences: { text: string }[] };
    expect(differences.map(({ text }) => text)).toContain('gap validation-status: 400 at A, 422 at B');
  });

  test('with the report of an earlier run', async () => {
    await using mock = await startMock({ port: 0 });
    await run('verify', '--base-url', mock.baseUrl, '--report-dir', folder);
    const { exitCode, out } = await run('verify', '--base-url', mock.baseUrl, '--compare', file('report.json'));
    expect(out).toContain('0 differences');
    expect(exitCode).toBe(0);
  });
});
