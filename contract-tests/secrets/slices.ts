import { setImmediate as next } from 'node:timers/promises';

/** Milliseconds of work between which others get their turn. */
const SLICE_MS = 10;
let since = 0;

/** Does the work of a generator, and lets others have their turn where it pauses. */
export async function inSlices<T>(work: Generator<void, T>): Promise<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    if (performance.now() - since < SLICE_MS) continue;
    await next();
    since = performance.now();
  }
}
