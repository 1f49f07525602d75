import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { CheckResult } from './model.ts';
import { runInProcess } from './run-in-process.ts';
import { DEFECTS, STYLE_NAMES, type Style, startSecondImplementation } from './second-implementation/server.ts';
import { resolveStyle } from './second-implementation/styles.ts';

type Options = NonNullable<Parameters<typeof startSecondImplementation>[0]>;

/** What shows only to somebody who knows the path of the token scopes, since no other path can be told from it. */
const NEEDS_SCOPES_PATH = ['scopes-not-by-get'];

type Resources = Awaited<ReturnType<typeof startSecondImplementation>>['target']['resources'];

/** Runs every check at a second implementation of its own; `wrong` are resources that the target file names wrongly. */
async function judge(
  options: Options,
  knowsScopesPath = false,
  wrong: Partial<Resources> = {},
): Promise<CheckResult[]> {
  const implementation = await startSecondImplementation(options);
  const answers = knowsScopesPath ? { 'scopes-path': implementation.style.scopesPath } : {};
  try {
    const { checks } = await runInProcess({
      target: JSON.parse(
        JSON.stringify({ ...implementation.target, resources: { ...implementation.target.resources, ...wrong } }),
      ),
      answers,
      allowWrites: true,
    });
    return checks;
  } finally {
    await implementation.close();
  }
}

const brief = ({ id, outcome, message, actual }: CheckResult) => ({ id, outcome, message, actual });

/** Checks that are blocked by one that passed: what stood in their way was seen, and is reported by nobody. */
function contradictions(checks: readonly CheckResult[]): string[] {
  const passed = new Set(checks.filter(({ outcome }) => outcome === 'pass').map(({ id }) => id));
  return checks
    .filter(({ message }) => passed.has(/ \(see ([\w-]+)\)/.exec(message)?.[1] ?? ''))
    .map(({ id, outcome, message }) => `${id}: ${outcome}: ${message}`);
}

describe('conforming implementations raise no alarm', () => {
  test.each(STYLE_NAMES)('style %s', async (style) => {
    const checks = await judge({ style });
    expect(checks.filter(({ outcome }) => outcome === 'violation' || outcome === 'error').map(brief)).toEqual([]);
    expect(checks.filter(({ outcome }) => outcome === 'pass').length).toBeGreaterThan(10);
    expect(contradictions(checks)).toEqual([]);
  });
});

/** A style in which each answer is that of a named style, chosen by `seed`: what nobody thought of together. */
function mixedStyle(seed: number): Style {
  const styles = STYLE_NAMES.map((name) => resolveStyle(name));
  const choose = (field: string, at: number): unknown => {
    const hash = createHash('sha256').update(`${seed} ${at}`).digest().readUInt32BE();
    return Reflect.get(styles[hash % styles.length] ?? resolveStyle(), field);
  };
  const mixed = Object.keys(resolveStyle()).map((field, at) => [field, choose(field, at)]);
  return { ...(Object.fromEntries(mixed) as Style), latencyMs: 0, burst: 0 };
}

describe('conforming implementations of mixed styles raise no alarm', () => {
  test.each(Array.from({ length: 24 }, (_, seed) => seed))('mixture %i', async (seed) => {
    const checks = await judge({ style: mixedStyle(seed) });
    expect(checks.filter(({ outcome }) => outcome === 'violation' || outcome === 'error').map(brief)).toEqual([]);
  });
});

describe('each defect is caught by a check of the requirement that it breaks first of all', () => {
  test.each(DEFECTS.map(({ id, requirements }) => ({ id, requirements })))('$id', async ({ id, requirements }) => {
    const checks = await judge({ defects: [id] }, NEEDS_SCOPES_PATH.includes(id));
    const violated = new Set(
      checks.filter(({ outcome }) => outcome === 'violation').flatMap((check) => check.requirements),
    );
    expect([...violated]).toContain(requirements[0]);
    expect(contradictions(checks)).toEqual([]);
  });
});

describe('a defect is caught whatever else the implementation decides by itself', () => {
  test.each<[style: Options['style'], defect: NonNullable<Options['defects']>[number], requirement: string]>([
    ['encrypted', 'auth-alg-none-accepted', 'AUT-06'],
    ['encrypted', 'auth-pat-any-secret', 'AUT-07'],
    ['shared-tenant', 'keys-status-filter-ignored', 'KEY-13'],
    ['shared-tenant', 'keys-filters-status-first', 'KEY-15'],
    ['silent-pages', 'keys-provider-filter-ignored', 'KEY-11'],
    ['silent-pages', 'keys-tenant-ignored', 'KEY-17'],
  ])('%s with %s', async (style, defect, requirement) => {
    const checks = await judge({ ...(style ? { style } : {}), defects: [defect] });
    expect(checks.filter(({ outcome }) => outcome === 'violation').flatMap((check) => check.requirements)).toContain(
      requirement,
    );
  });
});

describe('a resource that the target file names wrongly is no violation', () => {
  const OTHER_STATUSES = { statuses: { ...resolveStyle().statuses, unknownRecording: 404 } };

  test('a recording that nobody has is a set-up error that names the field', async () => {
    const checks = await judge({ style: OTHER_STATUSES }, false, { recordingId: 'no-such-recording' });
    expect(checks.filter(({ outcome }) => outcome === 'violation').map(brief)).toEqual([]);
    const { outcome, message } = checks.find(({ id }) => id === 'path-recording') ?? {};
    expect(outcome).toBe('error');
    expect(message).toMatch(/^resources\.recordingId: the target has no recording no-such-recording\./);
  });

  test('nor is a tenant that nobody has', async () => {
    const checks = await judge({ style: { unknownTenant: 404 } }, false, { tenantId: 'no-such-tenant' });
    expect(checks.filter(({ outcome }) => outcome === 'violation').map(brief)).toEqual([]);
    const { outcome, message } = checks.find(({ id }) => id === 'keys-list') ?? {};
    expect(outcome).toBe('error');
    expect(message).toMatch(/^resources\.tenantId: the target has no tenant no-such-tenant\./);
  });

  test('where the operation itself is not there it is one, whatever the target file names', async () => {
    const defects: Options['defects'] = ['general-recordings-under-v2'];
    for (const wrong of [{}, { recordingId: 'no-such-recording' }]) {
      const checks = await judge({ style: OTHER_STATUSES, defects }, false, wrong);
      expect(checks.find(({ id }) => id === 'path-recording')?.outcome).toBe('violation');
    }
  });

  test('where nothing tells one from the other it is one, and the message names the field', async () => {
    const style = { ...OTHER_STATUSES, errorShape: 'none' } as const;
    const checks = await judge({ style }, false, { recordingId: 'no-such-recording' });
    const { outcome, message } = checks.find(({ id }) => id === 'recording-update-title') ?? {};
    expect(outcome).toBe('violation');
    expect(message).toContain('resources.recordingId');
  });
});
