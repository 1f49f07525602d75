/** What a run leaves behind at the target, a sentence each. Whoever listens is told at once: a run may end at any moment. */
export class Leftovers {
  onChange: (lines: string[]) => void = () => {};
  readonly #lines = new Set<string>();
  readonly #expected = new Map<symbol, string>();

  add(line: string): void {
    this.#lines.add(line);
    this.onChange([...this]);
  }

  /** What a request that is about to be sent may leave, whether it is answered or not; the result takes that back. */
  expect(line: string): () => void {
    const key = Symbol(line);
    this.#expected.set(key, line);
    this.onChange([...this]);
    return () => {
      this.#expected.delete(key);
      this.onChange([...this]);
    };
  }

  *[Symbol.iterator](): Iterator<string> {
    yield* new Set([...this.#lines, ...this.#expected.values()]);
  }
}
