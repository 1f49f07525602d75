import type { Exchange } from '../model.ts';

/**
 * Knows which exchanges belong to what. Results that several checks share are computed once; each check that uses one
 * gets the exchanges that it rests on as its evidence.
 */
export class Recorder {
  readonly #stack: Exchange[][] = [];
  readonly #memo = new Map<string, { value: Promise<unknown>; exchanges: Exchange[] }>();

  record(exchange: Exchange): void {
    this.#stack.at(-1)?.push(exchange);
  }

  /** Runs `work` and gives the exchanges that it made or used, also when it fails. */
  async scope<T>(work: () => Promise<T>): Promise<{ result: PromiseSettledResult<T>; exchanges: Exchange[] }> {
    const exchanges: Exchange[] = [];
    this.#stack.push(exchanges);
    const [result] = await Promise.allSettled([work()]);
    this.#stack.pop();
    return { result, exchanges: [...new Set(exchanges)] };
  }

  /** The value of `compute`, made once a run; a failure is kept as well. */
  async once<T>(key: string, compute: () => Promise<T>): Promise<T> {
    let entry = this.#memo.get(key);
    if (!entry) {
      const scoped = this.scope(compute);
      const created = {
        exchanges: [] as Exchange[],
        value: scoped.then(({ result, exchanges }) => {
          created.exchanges = exchanges;
          if (result.status === 'rejected') throw result.reason;
          return result.value;
        }),
      };
      entry = created;
      this.#memo.set(key, entry);
    }
    try {
      return (await entry.value) as T;
    } finally {
      this.#stack.at(-1)?.push(...entry.exchanges);
    }
  }

  /** Forgets what was computed, so that its next use sends its requests anew; `keep` says by the key what stays. */
  forget(keep: (key: string) => boolean): void {
    for (const key of this.#memo.keys()) if (!keep(key)) this.#memo.delete(key);
  }
}
