import { parentPort } from 'node:worker_threads';
import { setLogSink } from '../log.ts';
import type { Job } from './model.ts';
import type { Answer } from './pool.ts';
import { run } from './run.ts';

// What the mock would log about its own errors is in the run itself.
setLogSink(() => {});

parentPort?.on('message', (job: Job) => {
  const answer = (sent: Answer): void => parentPort?.postMessage(sent);
  run(job).then(
    (done) => answer({ run: done }),
    (error: unknown) => answer({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});
