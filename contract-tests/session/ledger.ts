import { isPathOf, OPERATIONS, type OperationId } from '../api/operations.ts';
import type { Exchange, RequestCounts } from '../model.ts';
import { relativeTo } from '../values/url.ts';

const IDS = Object.keys(OPERATIONS) as OperationId[];

/** Counts what a run sends: every attempt, retries included. */
export class RequestCounter {
  total = 0;
  readonly #sent = new Map<string, number>();
  readonly #trouble: Record<string, number> = {};

  /** Notes a request that is sent again because of what it met on the way. */
  noteTrouble({ response }: Pick<Exchange, 'response'>): void {
    const met = response?.status ?? 'none';
    this.#trouble[met] = (this.#trouble[met] ?? 0) + 1;
  }

  note({ request, followed = [] }: Exchange, baseUrl: string): void {
    const key = `${request.method} ${relativeTo(baseUrl, request.url).replace(/[?#].*/, '')}`;
    const count = 1 + followed.length;
    this.#sent.set(key, (this.#sent.get(key) ?? 0) + count);
    this.total += count;
  }

  /** The requests so far; `scopesPath` is where the token scopes were found. */
  counts(scopesPath?: string): RequestCounts {
    const trouble = Object.keys(this.#trouble).length > 0 ? this.#trouble : undefined;
    const counts: RequestCounts = { total: this.total, writes: 0, byOperation: {}, trouble };
    for (const [key, count] of this.#sent) {
      const [method, path = ''] = key.split(' ');
      const known = IDS.find((id) => OPERATIONS[id].method === method && isPathOf(id, path));
      const operation = key === `GET ${scopesPath}` ? 'scopes' : (known ?? 'other');
      if (operation === 'pat' || method === 'PATCH') counts.writes += count;
      counts.byOperation[operation] = (counts.byOperation[operation] ?? 0) + count;
    }
    return counts;
  }
}

/** What a run leaves behind at the target, a sentence each. */
export class Leftovers {
  readonly #lines = new Map<symbol, string>();

  /** Adds what is left, or may be left by a request that is about to be sent; the result takes that back. */
  add(line: string): () => void {
    const key = Symbol(line);
    this.#lines.set(key, line);
    return () => this.#lines.delete(key);
  }

  *[Symbol.iterator](): Iterator<string> {
    yield* new Set(this.#lines.values());
  }
}
