import type { Requirement } from '../../contract-tests/model.ts';
import { allRules } from '../../contract-tests/rules/rules.ts';
import type { Fault } from '../core/faults/index.ts';
import type {
  FaultRun,
  FaultScore,
  MetaFaultRun,
  RequirementScore,
  Run,
  Score,
  ScoreTotals,
  VariantRun,
} from './model.ts';

/** What a score is made of. */
export interface Measured {
  readonly faults: readonly Fault[];
  readonly requirements: readonly Requirement[];
  readonly runs: readonly Run[];
  readonly seconds: number;
}

/** Faults that break a requirement, whether or not a check can judge it: those that are run. */
export const isDocumented = ({ requirements }: Fault): boolean => requirements.length > 0;

/** Computes the score from the runs. Pure. */
export function tally({ faults, requirements, runs, seconds }: Measured): Score {
  const excluded = new Set(requirements.filter((one) => one.excluded !== undefined).map(({ id }) => id));
  const of = <Kind extends Run['kind']>(kind: Kind) =>
    runs.filter((run): run is Extract<Run, { kind: Kind }> => run.kind === kind);
  const faultRuns = new Map(of('fault').map((run) => [run.id, run]));
  const scored = faults
    .filter(isDocumented)
    .map((fault) => scoreFault(fault, faultRuns.get(fault.id), excluded.has(fault.requirements[0] ?? '')));
  const perRequirement = requirements
    .filter(({ id }) => !excluded.has(id))
    .map(({ id }) => scoreRequirement(id, scored));
  const [variants, metaFaults] = [of('variant'), of('meta-fault')];
  const environmentFaults = faults.filter(({ family }) => family === 'environment').length;
  return {
    schemaVersion: 1,
    totals: totalsOf(scored, perRequirement.length, variants, metaFaults, environmentFaults),
    faults: scored,
    requirements: perRequirement,
    variants,
    metaFaults,
    seconds: Math.round(seconds),
  };
}

function scoreFault(fault: Fault, run: FaultRun | undefined, isExcluded: boolean): FaultScore {
  const { id, family, description, requirements } = fault;
  const base = { id, family, description, requirements, violated: run?.violated ?? [], checks: run?.checks ?? [] };
  if (!run && isExcluded) return { ...base, result: 'unobservable' };
  if (!run) return { ...base, result: 'not run', reason: 'it was not run' };
  const reason = whySurvived(run, requirements[0] ?? '');
  if (reason === undefined) return { ...base, result: 'killed' };
  // An excluded requirement is checked only where the target lets it be seen.
  return isExcluded ? { ...base, result: 'unobservable' } : { ...base, result: 'survived', reason };
}

/** A kill counts only where the fault had an effect that a check of its main requirement detected. */
function whySurvived({ hits, ownViolations, violated }: FaultRun, main: string): string | undefined {
  if (hits === 0) return 'nothing that the suite sent triggered it';
  if (ownViolations > 0)
    return `it made the mock break its own spec ${ownViolations} times, so the kill is no evidence`;
  if (violated.includes(main)) return undefined;
  if (violated.length === 0) return 'no check found a violation';
  return `only ${violated.join(', ')} were found violated, not ${main}`;
}

function scoreRequirement(id: string, faults: readonly FaultScore[]): RequirementScore {
  const own = faults.filter(({ requirements, result }) => requirements[0] === id && result !== 'unobservable');
  return {
    id,
    faults: own.length,
    killed: own.filter(({ result }) => result === 'killed').length,
    violatedBy: faults.filter(({ violated }) => violated.includes(id)).map((fault) => fault.id),
  };
}

function totalsOf(
  scored: readonly FaultScore[],
  requirements: number,
  variants: readonly VariantRun[],
  metaFaults: readonly MetaFaultRun[],
  environmentFaults: number,
): ScoreTotals {
  const faults = scored.filter(({ result }) => result !== 'unobservable');
  const killed = faults.filter(({ result }) => result === 'killed').length;
  return {
    checks: allRules.length,
    requirements,
    faults: faults.length,
    killed,
    // Truncated, not rounded: 100 % means all of them.
    killRate: Math.floor((killed / Math.max(1, faults.length)) * 1000) / 1000,
    unobservableFaults: scored.length - faults.length,
    environmentFaults,
    variants: variants.length,
    falseAlarms: variants.filter(({ alarms }) => alarms.length > 0).length,
    unmetNeeds: variants.reduce((sum, { unmet }) => sum + unmet, 0),
    metaFaults: metaFaults.length,
    metaFaultsConforming: metaFaults.filter(({ verdict }) => verdict === 'conforms').length,
  };
}

/** Reasons for which the score fails, a line each. */
export function shortcomings({ faults, requirements, variants, metaFaults }: Score): string[] {
  return [
    ...faults
      .filter(({ result }) => result === 'survived' || result === 'not run')
      .map(({ id, requirements: [main], reason }) => `survivor: ${id} (breaks ${main}): ${reason}`),
    ...requirements
      .filter(({ faults: count }) => count === 0)
      .map(({ id }) => `unmeasured: no fault breaks ${id} first of all`),
    ...variants.flatMap(({ id, alarms }) => alarms.map((alarm) => `false alarm: ${id}: ${alarm}`)),
    ...variants
      .filter(({ coverage }) => coverage.length > 0)
      .map(({ id, coverage }) => `${id}: ${coverage.join('; ')}`),
    ...metaFaults
      .filter(({ verdict }) => verdict === 'conforms')
      .map(({ id, description }) => `green: a server that ${description} (${id}) was found to conform`),
  ];
}
