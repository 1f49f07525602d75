import { describe, expect, test } from 'vitest';
import { contradictionsIn } from '../alarms.ts';
import type { CheckResult } from '../model.ts';
import { runInProcess } from '../run-in-process.ts';
import {
  DEFECTS,
  type SecondImplementationOptions,
  startSecondImplementation,
  type TargetFile,
} from '../second-implementation/server.ts';

interface Judging extends SecondImplementationOptions {
  /** Whether the profile says where the token scopes are. */
  knowsScopesPath?: boolean;
  /** What the target file says instead of the implementation's own resources. */
  resources?: Partial<TargetFile['resources']>;
}

/** Runs every check of the suite at a second implementation of its own. */
export async function judge({ knowsScopesPath, resources, ...options }: Judging = {}): Promise<CheckResult[]> {
  const { target, style, close } = await startSecondImplementation(options);
  try {
    const { checks } = await runInProcess({
      target: structuredClone({ ...target, resources: { ...target.resources, ...resources } }),
      answers: knowsScopesPath ? { 'scopes-path': style.scopesPath } : {},
      allowWrites: true,
    });
    return checks;
  } finally {
    await close();
  }
}

/** Ids of the requirements that a run found violated. */
export const violatedIn = (checks: readonly CheckResult[]): string[] => [
  ...new Set(checks.filter(({ outcome }) => outcome === 'violation').flatMap(({ requirements }) => requirements)),
];

/** What shows only to somebody who knows the path of the token scopes, since no other path can be told from it. */
const NEEDS_SCOPES_PATH: readonly string[] = ['scopes-not-by-get'];

/** The parts of the API by which the defects are judged, each in a file of its own so that they run side by side. */
const PARTS = { recordings: /^REC/, keys: /^KEY/, access: /^(?!REC|KEY)/ } as const;

/** Declares a test for each defect of a part: some check of the requirement that it breaks finds the violation. */
export function describeDefects(part: keyof typeof PARTS): void {
  const own = DEFECTS.filter(({ requirements: [main = ''] }) => PARTS[part].test(main));
  describe.concurrent('each defect is caught by a check of the requirement that it breaks first of all', () => {
    test.each(own)('$id', async ({ id, requirements }) => {
      const checks = await judge({ defects: [id], knowsScopesPath: NEEDS_SCOPES_PATH.includes(id) });
      expect(violatedIn(checks)).toContain(requirements[0]);
      expect(contradictionsIn(checks)).toEqual([]);
    });
  });
}
