import { TransportError } from '../errors.ts';
import type { CheckResult, PlannedRun, Report } from '../model.ts';
import type { Rule } from '../rules/rule.ts';
import { noneProbed } from '../run/gap-results.ts';
import { runSuite, type SuiteHooks } from '../run/run.ts';
import { Secrets } from '../secrets/secrets.ts';
import type { SessionConfig } from '../session/connection.ts';
import { NO_ANSWERS } from '../session/profile.ts';
import type { Target } from '../session/target-file.ts';
import { withoutWaiting } from '../wire/time.ts';
import { buildReport, type RunFacts } from './build-report.ts';
import { whilePrepared } from './preparation.ts';
import { describePlan, planRun, type RunInput, type RunOptions, readRunInput } from './run-input.ts';

/** A target that was started for one run. */
export interface OwnTarget {
  /** As it would describe itself. */
  target: Target;
  /** Lets milliseconds pass on its clock: the suite then waits for nothing. */
  pass(milliseconds: number): void;
}

/** How to run; what is run is elsewhere. */
export interface RunHooks extends SuiteHooks {
  /** Whether the report is for a terminal only: without the exchanges of checks that pass. */
  isBrief?: boolean;
  /** The target of a run whose input names none. */
  own?: OwnTarget;
  onStart?: (checks: readonly Rule[], target: Target) => void;
}

/** What to verify, and how. */
export interface VerifyOptions extends RunOptions, RunHooks {}

/** Runs the contract suite at a target. Throws UsageError for bad input, and never for what the target does. */
export async function verify(options: VerifyOptions): Promise<Report> {
  return verifyInput(readRunInput(options), options);
}

/** The same for input that has been read already. */
export async function verifyInput(input: RunInput, hooks: RunHooks = {}): Promise<Report> {
  const { own } = hooks;
  const startedAt = new Date();
  const started = performance.now();
  const factsAt = (target: Target): RunFacts => ({
    input,
    baseUrl: target.baseUrl,
    profile: (input.given ?? NO_ANSWERS).name,
    startedAt,
    durationMs: performance.now() - started,
    secrets: new Secrets(target),
  });
  const observe = async (ready: RunInput, ending: Pick<SessionConfig, 'tearDown'>) => {
    const plan = await planRun(ready, own?.target);
    const { checks, session } = plan;
    hooks.onStart?.(checks, plan.target);
    const runChecks = () => runSuite({ ...session, ...ending }, checks, hooks);
    // A target that was started for this run passes the time on its own clock; at any other one it is waited for.
    return { plan, run: await (own ? withoutWaiting(own.pass, runChecks) : runChecks()) };
  };
  const observed = await whilePrepared(input, observe).catch((error: unknown) => {
    if (!(error instanceof TransportError && input.target)) throw error;
    return buildReport({ ...factsAt(input.target), unreachable: error.message });
  });
  if ('verdict' in observed) return observed;
  const { plan, run } = observed.done;
  const { target, given } = plan;
  const unprobed = plan.session.probing ? 'trouble ended the run' : 'the run was limited to some checks';
  const facts = factsAt(target);
  facts.secrets.add(run.secrets);
  const report = buildReport({
    ...facts,
    profile: given.name,
    givenGaps: Object.keys(given.answers),
    checks: hooks.isBrief ? run.checks.map(withoutPassed) : run.checks,
    leftovers: [...run.leftovers, ...observed.left],
    requests: run.requests,
    model: run.model,
    gaps: run.probed?.gaps ?? noneProbed(given.answers, `not probed, since ${unprobed}`),
  });
  if (plan.isFromTargetFile || target.actors !== undefined) return report;
  const hint = `${report.target.baseUrl} does not describe itself as a mock does: name actors and resources in a target file (--target).`;
  return { ...report, summary: { ...report.summary, text: `${report.summary.text} ${hint}` } };
}

const withoutPassed = (result: CheckResult): CheckResult =>
  result.outcome === 'pass' ? { ...result, exchanges: [] } : result;

/** What a run with this input would do, without sending any request but those that find the target. */
export async function planOf(input: RunInput): Promise<PlannedRun> {
  const plan = await planRun(input);
  // A mock that describes itself, and a target file, name the profile.
  return new Secrets(plan.target).scrubJson(describePlan(plan));
}
