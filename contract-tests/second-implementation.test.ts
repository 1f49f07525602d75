import { describe, expect, test } from 'vitest';
import type { CheckResult } from './model.ts';
import { runInProcess } from './run-in-process.ts';
import { DEFECTS, STYLE_NAMES, startSecondImplementation } from './second-implementation/server.ts';

type Options = NonNullable<Parameters<typeof startSecondImplementation>[0]>;

/** What shows only to somebody who knows the path of the token scopes, since no other path can be told from it. */
const NEEDS_SCOPES_PATH = ['scopes-not-by-get'];

/** Runs every check at a second implementation of its own. */
async function judge(options: Options, knowsScopesPath = false): Promise<CheckResult[]> {
  const implementation = await startSecondImplementation(options);
  const answers = knowsScopesPath ? { 'scopes-path': implementation.style.scopesPath } : {};
  try {
    const { checks } = await runInProcess({
      target: JSON.parse(JSON.stringify(implementation.target)),
      answers,
      allowWrites: true,
    });
    return checks;
  } finally {
    await implementation.close();
  }
}

const brief = ({ id, outcome, message, actual }: CheckResult) => ({ id, outcome, message, actual });

describe('conforming implementations raise no alarm', () => {
  test.each(STYLE_NAMES)('style %s', async (style) => {
    const checks = await judge({ style });
    expect(checks.filter(({ outcome }) => outcome === 'violation' || outcome === 'error').map(brief)).toEqual([]);
    expect(checks.filter(({ outcome }) => outcome === 'pass').length).toBeGreaterThan(10);
  });
});

describe('each defect is caught by a check of the requirement that it breaks first of all', () => {
  test.each(DEFECTS.map(({ id, requirements }) => ({ id, requirements })))('$id', async ({ id, requirements }) => {
    const checks = await judge({ defects: [id] }, NEEDS_SCOPES_PATH.includes(id));
    const violated = new Set(
      checks.filter(({ outcome }) => outcome === 'violation').flatMap((check) => check.requirements),
    );
    expect([...violated]).toContain(requirements[0]);
  });
});

describe('a defect is caught whatever else the implementation decides by itself', () => {
  test.each<[style: Options['style'], defect: NonNullable<Options['defects']>[number], requirement: string]>([
    ['encrypted', 'auth-alg-none-accepted', 'AUT-06'],
    ['encrypted', 'auth-pat-any-secret', 'AUT-07'],
  ])('%s with %s', async (style, defect, requirement) => {
    const checks = await judge({ ...(style ? { style } : {}), defects: [defect] });
    expect(checks.filter(({ outcome }) => outcome === 'violation').flatMap((check) => check.requirements)).toContain(
      requirement,
    );
  });
});
