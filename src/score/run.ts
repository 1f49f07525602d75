import { alarmsOf, coverageChanges, isUnmet } from '../../contract-tests/commands/alarms.ts';
import { type CheckResult, OUTCOMES } from '../../contract-tests/model.ts';
import { judge, judgeRequirements } from '../../contract-tests/report/verdict.ts';
import { runSuite } from '../../contract-tests/run/run.ts';
import type { Target } from '../../contract-tests/session/target-file.ts';
import { loadRequirements } from '../../contract-tests/spec-data.ts';
import { withoutWaiting } from '../../contract-tests/wire/time.ts';
import { targetOf } from '../control/target.ts';
import { type ListenOptions, type RunningMock, startMock } from '../index.ts';
import { completeTarget, metaFaults, timeoutAt, withMetaFault } from './meta-faults.ts';
import type { FaultRun, Job, MetaFaultRun, Run, VariantRun } from './model.ts';
import { notPassing, type Variant, variants } from './variants.ts';

/** Measures one job: starts the target, runs every check at it, and stops it. */
export const run = (job: Job): Promise<Run> => runs[job.kind](job);
const runs = { fault: runFault, variant: runVariant, 'meta-fault': runMetaFault };

/**
 * Every check at a mock with one fault. The suite is given the undocumented path of the token scopes:
 * otherwise it could not tell that an answer is missing there.
 */
async function runFault({ id, requests }: Job): Promise<FaultRun> {
  return withMock({ faults: [id] }, async (mock) => {
    const answers = { 'scopes-path': mock.world.answers.get('scopes-path') };
    const checks = await check(targetAt(mock), answers, requests);
    const violations = checks.filter(({ outcome }) => outcome === 'violation');
    return {
      kind: 'fault',
      id,
      hits: mock.world.faultHits.get(id) ?? 0,
      ownViolations: mock.world.ownViolations,
      violated: [...new Set(violations.flatMap(({ requirements }) => requirements))].sort(),
      checks: violations.map((violation) => violation.id),
    };
  });
}

async function runVariant({ id }: Job): Promise<VariantRun> {
  const variant = find<Variant>(variants(), id);
  const { faults = [], profile = 'default', retarget = (target) => target } = variant;
  return withMock({ faults, profile }, async (mock) => {
    const checks = await check(await retarget(targetAt(mock)));
    // A variation that did nothing would prove nothing.
    const idle = faults.filter((fault) => !mock.world.faultHits.get(fault));
    return {
      kind: 'variant',
      id,
      description: variant.description,
      alarms: [...alarmsOf(checks), ...idle.map((fault) => `the variation ${fault} did nothing`)],
      passed: checks.filter(({ outcome }) => outcome === 'pass').length,
      unmet: checks.filter(isUnmet).length,
      coverage: coverageChanges(checks, notPassing[id]),
      verdict: verdictOf(checks),
    };
  });
}

async function runMetaFault({ id }: Job): Promise<MetaFaultRun> {
  const metaFault = find(metaFaults, id);
  const checks = await withMetaFault(metaFault, (baseUrl) =>
    check({ ...completeTarget, baseUrl, limits: { timeoutMs: timeoutAt(metaFault) } }),
  );
  const count = (outcome: string): number => checks.filter((result) => result.outcome === outcome).length;
  return {
    kind: 'meta-fault',
    id,
    description: metaFault.description,
    // Even with everything waived it may not be green.
    verdict: verdictOf(checks, true),
    outcomes: Object.fromEntries(OUTCOMES.map((outcome) => [outcome, count(outcome)])) as MetaFaultRun['outcomes'],
  };
}

async function check(target: Target, answers: Record<string, unknown> = {}, requests?: number): Promise<CheckResult[]> {
  const { checks } = await runSuite({ target, answers, allowWrites: true, ...(requests ? { requests } : {}) });
  return checks;
}

function verdictOf(checks: readonly CheckResult[], waived = false): VariantRun['verdict'] {
  return judge(checks, judgeRequirements(loadRequirements(), checks), new Set(waived ? ['all'] : []));
}

async function withMock<T>(options: ListenOptions, use: (mock: RunningMock) => Promise<T>): Promise<T> {
  await using mock = await startMock({ log: () => {}, ...options });
  return await withoutWaiting(
    (milliseconds) => mock.world.clock.advance(milliseconds),
    () => use(mock),
  );
}

const targetAt = ({ world, baseUrl }: RunningMock): Target => {
  const { profile: _, ...target } = targetOf(world, baseUrl);
  return JSON.parse(JSON.stringify(target)) as Target;
};

function find<T extends { readonly id: string }>(all: readonly T[], id: string): T {
  const found = all.find((one) => one.id === id);
  if (!found) throw new Error(`there is no job ${id}`);
  return found;
}
