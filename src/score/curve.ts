import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { loadRequirements } from '../../contract-tests/spec-data.ts';
import { faults } from '../core/faults/index.ts';
import { packageFile } from '../server/files/package-root.ts';
import type { Job, Run } from './model.ts';
import { measureAll } from './pool.ts';
import { isDocumented, tally } from './tally.ts';

/** How many requests a run may send, for each point of the curve. */
const BUDGETS = [30, 60, 100, 150, 300, 1_000] as const;

/** How many faults a run of so many requests catches. */
export interface CurvePoint {
  readonly requests: number;
  readonly faults: number;
  readonly killed: number;
}

/** Every fault at every budget. */
export const curveJobs = (): Job[] =>
  BUDGETS.flatMap((requests) => faults.filter(isDocumented).map(({ id }): Job => ({ kind: 'fault', id, requests })));

/** Measures the kill rate over the budget of requests. */
export async function curve(onRun?: (run: Run) => void): Promise<CurvePoint[]> {
  const jobs = curveJobs();
  const runs = await measureAll(jobs, onRun);
  return BUDGETS.map((requests) => {
    const own = runs.filter((_, at) => jobs[at]?.requests === requests);
    const { totals } = tally({ faults, requirements: loadRequirements(), runs: own, seconds: 0 });
    return { requests, faults: totals.faults, killed: totals.killed };
  });
}

/** Keeps the figures for the plot of docs/performance.md; gives the file. */
export function keepCurve(points: readonly CurvePoint[]): string {
  const file = packageFile('docs', 'plots', 'kill-rate.json');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(points)}\n`);
  return file;
}
