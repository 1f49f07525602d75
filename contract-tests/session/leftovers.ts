/** What a run leaves behind at the target, a sentence each. */
export class Leftovers {
  readonly #lines = new Set<string>();
  readonly #expected = new Map<symbol, string>();

  add(line: string): void {
    this.#lines.add(line);
  }

  /** What a request that is about to be sent may leave, whether it is answered or not; the result takes that back. */
  expect(line: string): () => void {
    const key = Symbol(line);
    this.#expected.set(key, line);
    return () => this.#expected.delete(key);
  }

  *[Symbol.iterator](): Iterator<string> {
    yield* new Set([...this.#lines, ...this.#expected.values()]);
  }
}
