import { alarmsOf, coverageChanges, isUnmet } from '../../contract-tests/commands/alarms.ts';
import type { CheckResult, Verdict } from '../../contract-tests/model.ts';
import { gatesOf, judgeRequirements, verdictOf } from '../../contract-tests/report/verdict.ts';
import { runSuite } from '../../contract-tests/run/run.ts';
import type { Target } from '../../contract-tests/session/target-file.ts';
import { loadRequirements } from '../../contract-tests/spec-data.ts';
import { memberOf } from '../../contract-tests/values/json.ts';
import { withoutWaiting } from '../../contract-tests/wire/time.ts';
import { targetOf } from '../control/target.ts';
import { type ListenOptions, type RunningMock, startMock } from '../index.ts';
import { completeTarget, metaFaults, timeoutAt, withMetaFault } from './meta-faults.ts';
import { notPassing, type Variant, variants } from './variants.ts';

/** One target to measure; ids are unique within their kind. */
export interface Job {
  readonly kind: keyof typeof runs;
  readonly id: string;
  /** How many requests the run may send; default: as many as the model takes. */
  readonly requests?: number;
}

/** What the suite found at a mock with one fault, at a conforming variant, and at a server that is not this API. */
export type FaultRun = Awaited<ReturnType<typeof runFault>>;
export type VariantRun = Awaited<ReturnType<typeof runVariant>>;
export type MetaFaultRun = Awaited<ReturnType<typeof runMetaFault>>;
export type Run = FaultRun | VariantRun | MetaFaultRun;

/** Measures one job: starts the target, runs every check at it, and stops it. */
export const run = (job: Job): Promise<Run> => runs[job.kind](job);
const runs = { fault: runFault, variant: runVariant, 'meta-fault': runMetaFault };

/** Every check at a mock with one fault, given the path of the token scopes: else a missing answer there could not be told. */
async function runFault({ id, requests }: { id: string; requests?: number }) {
  return withMock({ faults: [id] }, async (mock) => {
    const answers = { 'scopes-path': mock.world.answers.get('scopes-path') };
    const checks = await check(targetAt(mock), answers, requests);
    const violations = checks.filter(({ outcome }) => outcome === 'violation');
    return {
      kind: 'fault' as const,
      id,
      /** How often the fault changed something. */
      hits: mock.world.faultHits.get(id) ?? 0,
      /** Answers of the mock that broke its own spec: a bug of ours, so that the run says nothing. */
      ownViolations: mock.world.ownViolations,
      violated: [...new Set(violations.flatMap(({ requirements }) => requirements))].sort(),
      checks: violations.map((violation) => violation.id),
    };
  });
}

async function runVariant({ id }: { id: string }) {
  const {
    description,
    faults = [],
    profile = 'default',
    retarget = (target) => target,
  } = find<Variant>(variants(), id);
  return withMock({ faults, profile }, async (mock) => {
    const checks = await check(await retarget(targetAt(mock)));
    // A variation that did nothing would prove nothing.
    const idle = faults.filter((fault) => !mock.world.faultHits.get(fault));
    const { ownViolations } = mock.world;
    const broken = ownViolations > 0 ? [`the mock broke its own spec ${ownViolations} times`] : [];
    return {
      kind: 'variant' as const,
      ...{ id, description },
      alarms: [...alarmsOf(checks), ...idle.map((fault) => `the variation ${fault} did nothing`), ...broken],
      passed: checks.filter(({ outcome }) => outcome === 'pass').length,
      /** Checks that were not run, since the target file lacks what they declare to need. */
      unmet: checks.filter(isUnmet).length,
      coverage: coverageChanges(checks, memberOf(notPassing, id)),
      verdict: verdictAt(checks),
    };
  });
}

async function runMetaFault({ id }: { id: string }) {
  const metaFault = find(metaFaults, id);
  const checks = await withMetaFault(metaFault, (baseUrl) =>
    check({ ...completeTarget, baseUrl, limits: { timeoutMs: timeoutAt(metaFault) } }),
  );
  // Even with everything waived it may not be green.
  return { kind: 'meta-fault' as const, id, description: metaFault.description, verdict: verdictAt(checks, true) };
}

async function check(target: Target, answers: Record<string, unknown> = {}, requests?: number): Promise<CheckResult[]> {
  const { checks } = await runSuite({ target, answers, allowWrites: true, ...(requests ? { requests } : {}) });
  return checks;
}

function verdictAt(checks: readonly CheckResult[], waived = false): Verdict {
  const waivers = new Map(waived ? [['all', '--allow-untested all']] : []);
  return verdictOf(gatesOf(checks, judgeRequirements(loadRequirements(), checks, waivers)));
}

async function withMock<T>(options: ListenOptions, use: (mock: RunningMock) => Promise<T>): Promise<T> {
  await using mock = await startMock({ log: () => {}, ...options });
  const { clock } = mock.world;
  // Besides waits, each look at the clock takes a millisecond: what is found does not depend on the machine.
  clock.freeze();
  let looks = 0;
  const look = () => {
    looks += 1;
    clock.advance(1);
    return looks;
  };
  return await withoutWaiting(
    (milliseconds) => clock.advance(milliseconds),
    () => use(mock),
    look,
  );
}

/** The target file of a mock, at its own base URL or that of what is in front of it, without its profile. */
export const targetAt = ({ world, baseUrl }: Pick<RunningMock, 'world' | 'baseUrl'>): Target => {
  const { profile: _, ...target } = targetOf(world, baseUrl);
  return JSON.parse(JSON.stringify(target)) as Target;
};

function find<T extends { readonly id: string }>(all: readonly T[], id: string): T {
  const found = all.find((one) => one.id === id);
  if (!found) throw new Error(`there is no job ${id}`);
  return found;
}
