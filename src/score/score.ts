import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { UsageError } from '../../contract-tests/errors.ts';
import { loadRequirements } from '../../contract-tests/spec-data.ts';
import { asText } from '../../contract-tests/values/json.ts';
import { faults } from '../core/faults/index.ts';
import { didYouMean } from '../core/profiles/did-you-mean.ts';
import { packageFile } from '../server/files/package-root.ts';
import { metaFaults } from './meta-faults.ts';
import type { Job, Run } from './run.ts';
import { isDocumented, type Score, tally } from './tally.ts';
import { variants } from './variants.ts';

const faultJobs = (job: Partial<Job> = {}): Job[] =>
  faults.filter(isDocumented).map(({ id }) => ({ ...job, kind: 'fault', id }));

/** Everything that a score measures, what takes longest first. */
export const allJobs = (): Job[] => [
  ...metaFaults.map(({ id }): Job => ({ kind: 'meta-fault', id })),
  ...variants().map(({ id }): Job => ({ kind: 'variant', id })),
  ...faultJobs(),
];

/** Some of what a score measures, by id; all of it by default. @throws UsageError for an unknown id */
export function jobsOf(only?: readonly string[]): Job[] {
  const jobs = allJobs();
  const ids = jobs.map(({ id }) => id);
  const unknown = only?.filter((id) => !ids.includes(id)) ?? [];
  if (unknown.length > 0)
    throw new UsageError(
      `--only: no fault, variant or broken server is named ${unknown.join(', ')}${didYouMean(unknown, ids)}`,
    );
  return jobs.filter(({ id }) => only?.includes(id) ?? true);
}

/** Measures the suite: every fault, every conforming variant and every meta-fault, or some of them, against every check. */
export async function score(only: readonly string[] | undefined, onRun: (run: Run) => void): Promise<Score> {
  const started = performance.now();
  const runs = await measureAll(jobsOf(only), onRun);
  const some = faults.filter(({ id }) => only?.includes(id) ?? true);
  const requirements = loadRequirements().filter(
    ({ id }) => only === undefined || some.some(({ requirements: [main] }) => main === id),
  );
  return tally(some, requirements, runs, (performance.now() - started) / 1000);
}

/** How many requests a run may send, for each point of the curve. */
const budgets = [30, 60, 100, 150, 300, 1_000];

/** Every fault at every budget. */
export const curveJobs = (): Job[] => budgets.flatMap((requests) => faultJobs({ requests }));

/** Measures the kill rate over the budget of requests. */
export async function curve(onRun: (run: Run) => void) {
  const jobs = curveJobs();
  const runs = await measureAll(jobs, onRun);
  return budgets.map((requests) => {
    const own = runs.filter((_, at) => jobs[at]?.requests === requests);
    const { totals } = tally(faults, loadRequirements(), own, 0);
    return { requests, faults: totals.faults, killed: totals.killed };
  });
}

/** Keeps the figures for the plot of docs/performance.md; gives the file. */
export function keepCurve(points: Awaited<ReturnType<typeof curve>>): string {
  const file = packageFile('docs', 'plots', 'kill-rate.json');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(points)}\n`);
  return file;
}

/** Measures all jobs, in order, in two worker threads a processor: a run waits a lot. @throws Error for a bug of ours */
async function measureAll(jobs: readonly Job[], onRun: (run: Run) => void): Promise<Run[]> {
  const runs: Run[] = [];
  const queue = [...jobs.entries()];
  const file = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);
  const count = Math.min(2 * availableParallelism(), 8, jobs.length);
  const workers = Array.from({ length: count }, () => new Worker(file));
  try {
    await Promise.all(
      workers.map(async (worker) => {
        for (let next = queue.shift(); next; next = queue.shift()) {
          const [at, job] = next;
          const done = await ask(worker, job);
          runs[at] = done;
          onRun(done);
        }
      }),
    );
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return runs;
}

const ask = (worker: Worker, job: Job): Promise<Run> =>
  new Promise((resolve, reject) => {
    const failed = (cause: unknown): void =>
      reject(new Error(`${job.kind} ${job.id} could not be measured: ${asText(cause)}`, { cause }));
    worker.once('error', failed);
    worker.once('message', (run: Run) => {
      worker.off('error', failed);
      resolve(run);
    });
    worker.postMessage(job);
  });
