/** Notes that hooks keep between requests; one per started server, so servers never share them. */
export class Memory {
  readonly #notes = new Map<string, unknown>();

  get<T>(key: string): T | undefined {
    return this.#notes.get(key) as T | undefined;
  }

  set<T>(key: string, value: T): T {
    this.#notes.set(key, value);
    return value;
  }

  /** the note, made on first use */
  keep<T>(key: string, make: () => T): T {
    return this.#notes.has(key) ? (this.#notes.get(key) as T) : this.set(key, make());
  }

  /** 1 on the first call for this key, then 2, 3, ... */
  count(key: string): number {
    return this.set(key, (this.get<number>(key) ?? 0) + 1);
  }
}
