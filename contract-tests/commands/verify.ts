import { TransportError } from '../errors.ts';
import type { Report } from '../model.ts';
import type { Rule } from '../rules/rule.ts';
import { noneProbed } from '../run/gap-results.ts';
import { runSuite, type SuiteHooks } from '../run/run.ts';
import type { Target } from '../session/target-file.ts';
import { withoutUserInfo } from '../values/url.ts';
import { withoutWaiting } from '../wire/time.ts';
import { buildReport } from './build-report.ts';
import { whilePrepared } from './preparation.ts';
import { planRun, type RunInput, type RunOptions, readRunInput } from './run-input.ts';

/** A target that was started for one run. */
export interface OwnTarget {
  /** As it would describe itself. */
  target: Target;
  /** Lets milliseconds pass on its clock: the suite then waits for nothing. */
  pass(milliseconds: number): void;
}

/** How to run; what is run is elsewhere. */
interface RunHooks extends SuiteHooks {
  /** The target of a run whose input names none. */
  own?: OwnTarget;
  onStart?: (checks: readonly Rule[], target: Target) => void;
}

/** What to verify, and how. */
export interface VerifyOptions extends RunOptions, RunHooks {}

/** Runs the contract suite at a target. Throws UsageError for bad input, and never for what the target does. */
export const verify = async (options: VerifyOptions): Promise<Report> => verifyInput(readRunInput(options), options);

/** The same for input that has been read already. */
export async function verifyInput(input: RunInput, hooks: RunHooks = {}): Promise<Report> {
  const { own } = hooks;
  const startedAt = new Date();
  const observed = await whilePrepared(input, async (ready, ending) => {
    const plan = await planRun(ready, own?.target);
    const { checks, session } = plan;
    hooks.onStart?.(checks, plan.target);
    const runChecks = () => runSuite({ ...session, ...ending }, checks, hooks);
    // A target that was started for this run passes the time on its own clock; at any other one it is waited for.
    return { plan, run: await (own ? withoutWaiting(own.pass, runChecks) : runChecks()) };
  }).catch((error: unknown) => {
    if (!(error instanceof TransportError && input.target)) throw error;
    return buildReport({ input, target: input.target, startedAt, unreachable: error.message });
  });
  if ('verdict' in observed) return observed;
  const { plan, run } = observed.done;
  const { target, given, session, isFromTargetFile } = plan;
  const unprobed = session.probing ? 'trouble ended the run' : 'the run was limited to some checks';
  return buildReport({
    ...{ input, target, given, startedAt, requests: run.requests, model: run.model, secrets: run.secrets },
    checks: run.checks,
    leftovers: [...run.leftovers, ...observed.left],
    gaps: run.probed?.gaps ?? noneProbed(given.answers, `not probed, since ${unprobed}`),
    remark:
      isFromTargetFile || target.actors !== undefined
        ? ''
        : `${withoutUserInfo(target.baseUrl)} does not describe itself as a mock does: name actors and resources in a target file (--target).`,
  });
}
