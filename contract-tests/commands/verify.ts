import { TransportError } from '../errors.ts';
import type { Entry } from '../log/entry.ts';
import type { CheckResult, Report } from '../model.ts';
import type { Rule } from '../rules/rule.ts';
import { runSuite, type SuiteHooks } from '../run/run.ts';
import type { Target } from '../session/target-file.ts';
import { buildReport, waiveKnown } from './build-report.ts';
import { whilePrepared } from './preparation.ts';
import { planRun, type RunInput } from './run-input.ts';

export type RunHooks = SuiteHooks & {
  onStart?: (checks: readonly Rule[], target: Target) => void;
  /** All that was sent, clean-up included, what was answered, and what that shows, as the baseline orders it; gives the file that holds that. */
  onEnd?: (entries: readonly Entry[], target: Target, checks: readonly CheckResult[]) => Promise<string | undefined>;
};

/** Runs the contract suite at a target. Throws UsageError for a wrong base URL, and never for what the target does. */
export async function verifyInput(input: RunInput, hooks: RunHooks = {}): Promise<Report> {
  const startedAt = new Date();
  try {
    const { timeLimit } = input;
    const deadline = timeLimit === undefined ? undefined : performance.now() + 1000 * timeLimit;
    const run = await runAtTarget(input, { ...hooks, deadline });
    const { folder, actors, baseUrl } = run.target;
    const checks = run.found.checks.map((check) => waiveKnown(check, input.baseline.findings));
    const recording = await hooks.onEnd?.(run.found.log.entries, run.target, checks);
    const isUndescribed = folder === undefined && actors === undefined;
    const remark = `${baseUrl} does not describe itself (only a mock that needs no control token does): name actors and resources in a target file (--target).`;
    return buildReport({ ...run, startedAt, recording, remark: isUndescribed ? remark : '' });
  } catch (error) {
    const { target } = input;
    if (!(error instanceof TransportError && target)) throw error;
    return buildReport({ ...input, target, startedAt, unreachable: error.message });
  }
}

/** Prepares the target, finds it, and runs the suite there: the input completed, and what the run found. */
export const runAtTarget = (input: RunInput, { onStart, ...hooks }: RunHooks = {}) =>
  whilePrepared(input, async (ready) => {
    const plan = await planRun(ready);
    onStart?.(plan.checks, plan.target);
    return { ...plan, found: await runSuite(plan, plan.checks, hooks) };
  });
