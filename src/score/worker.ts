import { parentPort } from 'node:worker_threads';
import type { Job } from './model.ts';
import type { Answer } from './pool.ts';
import { run } from './run.ts';

parentPort?.on('message', (job: Job) => {
  const answer = (sent: Answer): void => parentPort?.postMessage(sent);
  run(job).then(
    (done) => answer({ run: done }),
    (error: unknown) => answer({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});
