import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Job, Run } from './model.ts';

/** A worker's answer. */
export type Answer = { readonly run: Run } | { readonly failure: string };

/**
 * Measures all jobs in worker threads, two for each processor, since a run waits for a good part of its time. The order of the results is that of the jobs.
 * @throws Error when something could not be measured: a bug of ours
 */
export async function measureAll(jobs: readonly Job[], onRun: (run: Run) => void = () => {}): Promise<Run[]> {
  const runs: Run[] = [];
  const queue = jobs.map((job, at) => ({ job, at }));
  const workers = Array.from({ length: Math.min(2 * availableParallelism(), 8, jobs.length) }, () => startWorker());
  try {
    await Promise.all(
      workers.map(async (worker) => {
        for (let next = queue.shift(); next; next = queue.shift()) {
          const done = await ask(worker, next.job);
          runs[next.at] = done;
          onRun(done);
        }
      }),
    );
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return runs;
}

const startWorker = (): Worker =>
  new Worker(new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url));

function ask(worker: Worker, job: Job): Promise<Run> {
  return new Promise((resolve, reject) => {
    const settle = (answer: Answer): void => {
      worker.off('error', reject);
      if ('run' in answer) resolve(answer.run);
      else reject(new Error(`${job.kind} ${job.id} could not be measured: ${answer.failure}`));
    };
    worker.once('message', settle);
    worker.once('error', reject);
    worker.postMessage(job);
  });
}
