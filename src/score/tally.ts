import type { Requirement } from '../../contract-tests/model.ts';
import { allRules } from '../../contract-tests/rules/rules.ts';
import type { Fault } from '../core/faults/index.ts';
import type { FaultRun, Run } from './run.ts';

/** Faults that break a requirement, whether or not a check can judge it: those that are run. */
export const isDocumented = ({ requirements }: Fault): boolean => requirements.length > 0;

/** The suite's own measure. */
export type Score = ReturnType<typeof tally>;

/** Computes the score from the runs. Pure. */
export function tally(
  faults: readonly Fault[],
  requirements: readonly Requirement[],
  runs: readonly Run[],
  seconds: number,
) {
  const excluded = requirements.filter((one) => one.excluded !== undefined).map(({ id }) => id);
  const of = <Kind extends Run['kind']>(kind: Kind) =>
    runs.filter((run): run is Extract<Run, { kind: Kind }> => run.kind === kind);
  const scored = faults.filter(isDocumented).map((fault) => {
    const run = of('fault').find(({ id }) => id === fault.id);
    return scoreFault(fault, run, excluded.includes(fault.requirements[0] ?? ''));
  });
  const observable = scored.filter(({ result }) => result !== 'unobservable');
  const isKilled = ({ result }: FaultScore): boolean => result === 'killed';
  const perRequirement = requirements
    .filter(({ id }) => !excluded.includes(id))
    .map(({ id }) => {
      // Faults whose main requirement it is.
      const own = observable.filter(({ requirements: [main] }) => main === id);
      const violatedBy = scored.filter(({ violated }) => violated.includes(id)).map((fault) => fault.id);
      return { id, faults: own.length, killed: own.filter(isKilled).length, violatedBy };
    });
  const [variants, metaFaults] = [of('variant'), of('meta-fault')];
  const killed = observable.filter(isKilled).length;
  return {
    schemaVersion: 1,
    /** Without anything that differs from run to run: shipped as spec/score.json. */
    totals: {
      checks: allRules.length,
      requirements: perRequirement.length,
      faults: observable.length,
      killed,
      // Truncated, not rounded: 100 % means all of them.
      killRate: Math.floor((killed / Math.max(1, observable.length)) * 1000) / 1000,
      unobservableFaults: scored.length - observable.length,
      environmentFaults: faults.filter(({ family }) => family === 'environment').length,
      variants: variants.length,
      falseAlarms: variants.filter(({ alarms }) => alarms.length > 0).length,
      unmetNeeds: variants.reduce((sum, { unmet }) => sum + unmet, 0),
      metaFaults: metaFaults.length,
      metaFaultsConforming: metaFaults.filter(({ verdict }) => verdict === 'conforms').length,
    },
    faults: scored,
    requirements: perRequirement,
    variants,
    metaFaults,
    seconds: Math.round(seconds),
  };
}

type FaultScore = ReturnType<typeof scoreFault>;

/** A fault in the score. `unobservable`: it breaks a requirement that no check can judge. */
function scoreFault(fault: Fault, run: FaultRun | undefined, isExcluded: boolean) {
  const { id, family, description, requirements } = fault;
  const reason = run ? whySurvived(run, requirements[0] ?? '') : 'it was not run';
  let result: 'killed' | 'survived' | 'unobservable' | 'not run' = run ? 'survived' : 'not run';
  if (reason === undefined) result = 'killed';
  // An excluded requirement is checked only where the target lets it be seen.
  else if (isExcluded) result = 'unobservable';
  const found = { violated: run?.violated ?? [], checks: run?.checks ?? [] };
  return { id, family, description, requirements, ...found, result, reason };
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
