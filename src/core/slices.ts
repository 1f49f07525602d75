/** The runtime's own, wherever a test replaces them by a simulated clock later. Called without an object: browsers insist. */
export const runtimeTimers = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };

const { setTimeout } = runtimeTimers;
/** Where there is one, it does not wait for the next millisecond. */
const { setImmediate = (turn) => setTimeout(turn, 0) } = globalThis as {
  readonly setImmediate?: (turn: () => void) => unknown;
};

/** Lets other requests run. */
export const nextTurn = (): Promise<void> => new Promise((turn) => void setImmediate(turn));

/** Bytes that are made before other requests run: some milliseconds of CPU. Counted, because a clock also measures others. */
const sliceBytes = 128 * 1024;

/** Bytes of a page that the control plane answers with, unless one item alone has more. */
export const pageBytes = 1024 * 1024;

/** Counts the work of one call, which is done in slices so that no other request waits for the whole of it. */
export class Slices {
  private made = 0;

  /** Counts bytes; waits for another turn where they fill a slice. */
  async spend(bytes: number): Promise<void> {
    this.made += bytes;
    if (this.made < sliceBytes) return;
    this.made = 0;
    await nextTurn();
  }

  /** Does work that pauses, and says at each pause what it has cost, in bytes. */
  async run<T>(work: Generator<number, T>): Promise<T> {
    for (;;) {
      const { done, value } = work.next();
      if (done) return value;
      await this.spend(value);
    }
  }
}

/**
 * Texts as a body. Each is made once the reader wants it, so a slow reader fills no buffer.
 * @param cancel called when the reader goes, before the texts are ended: what makes them may be waiting
 */
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
