import type { Exploration } from '../explore/explore.ts';
import { announceUndo } from '../interruption.ts';
import type { CheckResult } from '../model.ts';
import type { ProbeRun } from '../probe-target.ts';
import type { SessionConfig } from '../target/connection.ts';
import { Session } from '../target/session.ts';
import type { Check } from './check.ts';
import { runCheck } from './run-check.ts';

/** What the command hands to the worker that runs the checks. */
export interface SuiteConfig {
  session: SessionConfig;
  /** The checks to run, by id. */
  checkIds: string[];
  /** What to generate beyond the checks. */
  exploration?: Exploration;
}

declare module 'vitest' {
  interface ProvidedContext {
    suite?: SuiteConfig;
  }
  interface TaskMeta {
    check?: CheckResult;
    leftovers?: string[];
    probed?: ProbeRun;
  }
}

/** Thrown so that vitest shows the check as failed; the result itself travels in the test's meta. */
class NotPassed extends Error {
  override name = 'NotPassed';
}

// One worker runs all files without isolation, so they share this session, and with it the sign-ins and lists.
let session: Session | undefined;

/** The session of this worker's run, made at first use. */
export function sharedSession(suite: SuiteConfig): Session {
  if (!session) {
    const made = new Session(suite.session);
    made.recording.onUndo = announceUndo(() => made.halt());
    session = made;
  }
  return session;
}

/** Makes each selected check a vitest test of its own. Outside of a run of the suite the checks are only data. */
export async function registerChecks(area: string, checks: readonly Check[]): Promise<void> {
  if (!process.env.VITEST) return;
  const { inject, test } = await import('vitest');
  const suite = inject('suite');
  if (!suite) return;
  for (const check of checks) {
    if (!suite.checkIds.includes(check.id)) continue;
    test(`${area} > ${check.title}`, { timeout: 0 }, async ({ task }) => {
      const shared = sharedSession(suite);
      const result = await runCheck(check, shared);
      task.meta.check = result;
      task.meta.leftovers = [...shared.leftovers];
      if (result.outcome !== 'pass') throw new NotPassed(`${result.outcome}: ${result.message}`);
    });
  }
}
