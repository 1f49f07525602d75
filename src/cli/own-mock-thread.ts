// The thread of a mock: tells its target once it listens, and lets time pass on request.
import { parentPort, workerData } from 'node:worker_threads';
import type { Told } from './own-mock.ts';
import { startHere } from './own-mock-here.ts';

const mock = await startHere(workerData as string | undefined);
const tell = (told: Told): void => parentPort?.postMessage(told);
parentPort?.on('message', (milliseconds: number) => void mock.pass(milliseconds).then(() => tell('passed')));
tell({ target: mock.target });
