import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout } from 'node:timers/promises';

/** The machine's own time, in milliseconds since some moment: every wait lasts. */
const machine = {
  now: (): number => performance.now(),
  sleep: (milliseconds: number): Promise<void> => setTimeout(milliseconds),
};
const own = new AsyncLocalStorage<typeof machine>();
const current = (): typeof machine => own.getStore() ?? machine;

export const now = (): number => current().now();

export const sleep = (milliseconds: number): Promise<void> => current().sleep(milliseconds);

/** Runs something without waiting: `pass` gets the waits, `clock` returns other elapsed time, both in milliseconds. */
export function withoutWaiting<T>(
  pass: (milliseconds: number) => void,
  run: () => Promise<T>,
  clock: () => number = machine.now,
): Promise<T> {
  let skipped = 0;
  const time = {
    now: () => clock() + skipped,
    sleep: async (milliseconds: number) => {
      skipped += milliseconds;
      pass(milliseconds);
      await machine.sleep(0); // others get their turn, as in every wait
    },
  };
  return own.run(time, run);
}
