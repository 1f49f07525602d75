import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout } from 'node:timers/promises';

/** The time that a run lives in: what passes, and how it is waited for. */
interface Time {
  /** Milliseconds since some moment. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

/** The machine's own: every wait lasts. */
const machine: Time = { now: () => performance.now(), sleep: (milliseconds) => setTimeout(milliseconds) };
const own = new AsyncLocalStorage<Time>();
const current = (): Time => own.getStore() ?? machine;

export const now = (): number => current().now();

export const sleep = (milliseconds: number): Promise<void> => current().sleep(milliseconds);

/** Runs something without waiting: `pass` is told what would have passed; `clock` gives what passes besides, in milliseconds. */
export function withoutWaiting<T>(
  pass: (milliseconds: number) => void,
  run: () => Promise<T>,
  clock: () => number = machine.now,
): Promise<T> {
  let skipped = 0;
  const time: Time = {
    now: () => clock() + skipped,
    sleep: async (milliseconds) => {
      skipped += milliseconds;
      pass(milliseconds);
      await machine.sleep(0); // others get their turn, as in every wait
    },
  };
  return own.run(time, run);
}
