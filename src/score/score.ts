import { loadRequirements } from '../../contract-tests/spec-data.ts';
import { faults } from '../core/faults/index.ts';
import { metaFaults } from './meta-faults.ts';
import type { Job, Run, Score } from './model.ts';
import { measureAll } from './pool.ts';
import { isDocumented, tally } from './tally.ts';
import { variants } from './variants.ts';

/** Everything that a score measures, what takes longest first. */
export const allJobs = (): Job[] => [
  ...metaFaults.map(({ id }): Job => ({ kind: 'meta-fault', id })),
  ...variants().map(({ id }): Job => ({ kind: 'variant', id })),
  ...faults.filter(isDocumented).map(({ id }): Job => ({ kind: 'fault', id })),
];

/** Measures the suite: every fault, every conforming variant and every meta-fault against every check. */
export async function score(onRun?: (run: Run) => void): Promise<Score> {
  const started = performance.now();
  const runs = await measureAll(allJobs(), onRun);
  return tally({
    faults,
    requirements: loadRequirements(),
    runs,
    seconds: (performance.now() - started) / 1000,
  });
}
