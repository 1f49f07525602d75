import { setTimeout } from './real-time.ts';

/** Preferred where available: it does not wait for the next millisecond. */
const { setImmediate = (turn) => setTimeout(turn, 0) } = globalThis as {
  readonly setImmediate?: (turn: () => void) => unknown;
};

/** Lets other requests run. */
export const nextTurn = (): Promise<void> => new Promise((turn) => void setImmediate(turn));

/** Bytes to make before other requests run: some milliseconds of CPU. Counted, because a clock also measures other work. */
const sliceBytes = 128 * 1024;

/** Maximum size in bytes of a page of the control plane, unless a single item is larger. */
export const pageBytes = 1024 * 1024;

/** Counts the work of one call, which runs in slices so that other requests do not wait for all of it. */
export class Slices {
  private made = 0;

  /** Counts bytes; waits for another turn when they fill a slice. */
  async spend(bytes: number): Promise<void> {
    this.made += bytes;
    if (this.made < sliceBytes) return;
    this.made = 0;
    await nextTurn();
  }

  /** Runs work that pauses and reports its cost in bytes at each pause. */
  async run<T>(work: Generator<number, T>): Promise<T> {
    for (;;) {
      const { done, value } = work.next();
      if (done) return value;
      await this.spend(value);
    }
  }
}

/** Texts as a body, made as the reader asks for them. `cancel` is called when it leaves early: a producer may be waiting. */
export const textStream = (texts: AsyncGenerator<string, void>, cancel = (): void => {}): ReadableStream<Uint8Array> =>
  new ReadableStream({
    async pull(controller) {
      const { done, value } = await texts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      cancel();
      await texts.return();
    },
  });

const encoder = new TextEncoder();
