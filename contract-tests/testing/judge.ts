import { describe, expect, test } from 'vitest';
import { contradictionsIn } from '../commands/alarms.ts';
import type { CheckResult } from '../model.ts';
import { runSuite } from '../run/run.ts';
import {
  DEFECTS,
  type SecondImplementationOptions,
  startSecondImplementation,
  type TargetFile,
} from '../second-implementation/server.ts';
import { withoutWaiting } from '../wire/time.ts';

interface Judging extends SecondImplementationOptions {
  /** Whether the profile says where the token scopes are. */
  knowsScopesPath?: boolean;
  /** What the target file says instead of the implementation's own resources. */
  resources?: Partial<TargetFile['resources']>;
  /** Runs at the same implementation, of which the last one is judged by; default 1. */
  times?: number;
}

/** Runs every check of the suite at a second implementation of its own, in the suite's order. */
export async function judge(judging: Judging = {}): Promise<CheckResult[]> {
  const { knowsScopesPath, resources, times = 1, ...options } = judging;
  const { target, style, pass, close } = await startSecondImplementation(options);
  try {
    const config = {
      target: structuredClone({ ...target, resources: { ...target.resources, ...resources } }),
      answers: knowsScopesPath ? { 'scopes-path': style.scopesPath } : {},
      allowWrites: true,
    };
    const run = () => withoutWaiting(pass, () => runSuite(config));
    for (let before = 1; before < times; before += 1) await run();
    return (await run()).checks;
  } finally {
    await close();
  }
}

/** Ids of the requirements that a run found violated. */
export const violatedIn = (checks: readonly CheckResult[]): string[] => [
  ...new Set(checks.filter(({ outcome }) => outcome === 'violation').flatMap(({ requirements }) => requirements)),
];

/** Defects that show only where the path of the token scopes is known. */
const NEEDS_SCOPES_PATH: readonly string[] = ['scopes-not-by-get'];

/** The parts of the API by which the defects are judged, each in a file of its own so that they run side by side. */
const PARTS = { recordings: /^REC/, keys: /^KEY/, access: /^(?!REC|KEY)/ } as const;

/** Declares a test for each defect of a part: a check of the requirement that it breaks first of all catches it. */
export function describeDefects(part: keyof typeof PARTS): void {
  const own = DEFECTS.filter(({ requirements: [main = ''] }) => PARTS[part].test(main));
  const cases = own.map(({ id, requirements: [main] }) => ({ id, main }));
  describe.concurrent('a defect is caught by a rule of the requirement that it breaks first of all', () => {
    test.each(cases)('$id', async ({ id, main }) => {
      const checks = await judge({ defects: [id], knowsScopesPath: NEEDS_SCOPES_PATH.includes(id) });
      expect(violatedIn(checks)).toContain(main);
      expect(contradictionsIn(checks)).toEqual([]);
    });
  });
}
