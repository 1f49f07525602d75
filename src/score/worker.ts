import { parentPort } from 'node:worker_threads';
import { run } from './run.ts';

// What it throws ends the worker, whose owner reports it.
parentPort?.on('message', async (job) => parentPort?.postMessage(await run(job)));
