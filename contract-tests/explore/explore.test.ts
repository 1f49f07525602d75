import { describe, expect, test } from 'vitest';
import type { CheckResult } from '../model.ts';
import { runSuite } from '../run-suite.ts';
import {
  type DefectId,
  STYLE_NAMES,
  type StyleName,
  startSecondImplementation,
} from '../second-implementation/server.ts';
import { exploreChecks } from './explore.ts';

async function explore(style: StyleName, defects: DefectId[] = [], runs = 60): Promise<CheckResult[]> {
  const deployment = await startSecondImplementation({ style, defects });
  try {
    const target = JSON.parse(JSON.stringify(deployment.target));
    const config = { target, answers: {}, allowWrites: true, repeatViolations: false };
    return (await runSuite(config, exploreChecks({ runs, seed: 7 }))).checks;
  } finally {
    await deployment.close();
  }
}

describe('exploring raises no alarm at a conforming implementation', () => {
  // Slow and limited styles say nothing here that the others do not.
  test.each(STYLE_NAMES.filter((style) => style !== 'slow' && style !== 'rate-limited'))('style %s', async (style) => {
    const checks = await explore(style);
    expect(checks.filter(({ outcome }) => outcome !== 'pass' && outcome !== 'untested')).toEqual([]);
  });
});

describe('exploring finds defects, names the requirement, and makes the request small', () => {
  test.each<[DefectId, string]>([
    ['update-title-trimmed', 'REC-22'],
    ['update-title-escaped', 'REC-22'],
    ['update-writes-filename', 'REC-31'],
    ['recording-quality-null', 'REC-15'],
    ['keys-status-filter-ignored', 'KEY-13'],
  ])('%s', async (defect, requirement) => {
    const found = (await explore('default', [defect])).filter(({ outcome }) => outcome === 'violation');
    expect(found.map(({ requirements }) => requirements)).toContainEqual([requirement]);
    const finding = found.find(({ requirements }) => requirements[0] === requirement);
    expect(finding?.message).toMatch(/Found after \d+ requests of seed 7, made smaller \d+ times: /);
    expect(finding?.exchanges.length).toBeGreaterThan(0);
  });

  test('the same seed finds the same, and a title that is trimmed is found in a body of nothing else', async () => {
    const [first, second] = await Promise.all([
      explore('default', ['update-title-trimmed']),
      explore('default', ['update-title-trimmed']),
    ]);
    const message = (checks: CheckResult[]) => checks.find(({ outcome }) => outcome === 'violation')?.message;
    expect(message(first)).toBe(message(second));
    expect(message(first)).toMatch(/\[\{"title":"[^"]{0,6}"\},\{\}\]/);
  });
});
