/** Small helpers shared by styles and defects. */
import type { Around, Points } from './hooks.ts';

/** Advice that only looks at what came out. */
export const after =
  <P extends keyof Points>(
    change: (output: Points[P][1], input: Points[P][0]) => Points[P][1] | Promise<Points[P][1]>,
  ): Around<P> =>
  async (input, next) =>
    change(await next(input), input);

/** Advice that only looks at what goes in. */
export const before =
  <P extends keyof Points>(change: (input: Points[P][0]) => Points[P][0] | Promise<Points[P][0]>): Around<P> =>
  async (input, next) =>
    next(await change(input));

export const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Counts per key: 1 at the first call. */
export function counter(): (key?: string) => number {
  const seen = new Map<string, number>();
  return (key = '') => {
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return count;
  };
}

/** An object without some of its fields. */
export const without = <T extends object>(value: T, ...fields: (keyof T)[]): T => {
  const rest = { ...value };
  for (const field of fields) delete rest[field];
  return rest;
};

/** How long a step with a race stays open for a second request; generous, since the machine may be busy. */
export const overlap = (): Promise<void> => sleep(150);
