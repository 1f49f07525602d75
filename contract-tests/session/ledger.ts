import { isPathOf, OPERATIONS, type OperationId } from '../api/operations.ts';
import type { Exchange, RequestCounts } from '../model.ts';

const IDS = Object.keys(OPERATIONS) as OperationId[];

/** Counts what a run sends: every attempt, retries included. */
export class RequestCounter {
  /** How often each method and path was sent; which of them the token scopes are is known only at the end. */
  readonly #sent = new Map<string, { method: string; path: string; count: number }>();

  readonly #trouble: Record<string, number> = {};

  /** Notes a request that is sent again because of what it met on the way. */
  noteTrouble({ response }: Pick<Exchange, 'response'>): void {
    const met = response?.status ?? 'none';
    this.#trouble[met] = (this.#trouble[met] ?? 0) + 1;
  }

  /** Notes one request; `basePath` is the path of the base URL. */
  note({ request }: Exchange, basePath: string): void {
    const { pathname } = new URL(request.url);
    const path = pathname.startsWith(basePath) ? pathname.slice(basePath.length) : pathname;
    const key = `${request.method} ${path}`;
    const seen = this.#sent.get(key) ?? { method: request.method, path, count: 0 };
    this.#sent.set(key, { ...seen, count: seen.count + 1 });
  }

  /** The requests so far; `scopesPath` is where the token scopes were found. */
  counts(scopesPath?: string): RequestCounts {
    const trouble = Object.keys(this.#trouble).length > 0 ? this.#trouble : undefined;
    const counts: RequestCounts = { total: 0, writes: 0, byOperation: {}, trouble };
    for (const { method, path, count } of this.#sent.values()) {
      const isScopes = path === scopesPath && method === OPERATIONS.scopes.method;
      const known = IDS.find((id) => OPERATIONS[id].method === method && isPathOf(id, path));
      const operation = isScopes ? 'scopes' : (known ?? 'other');
      counts.total += count;
      if (operation === 'pat' || method === 'PATCH') counts.writes += count;
      counts.byOperation[operation] = (counts.byOperation[operation] ?? 0) + count;
    }
    return counts;
  }
}

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
