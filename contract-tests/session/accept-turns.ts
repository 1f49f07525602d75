import { FETCH } from '../values/header-names.ts';

/** The header Accept as clients send it: axios, which names JSON, fetch, and HTTP libraries, which send none. */
export const AXIOS = 'application/json, text/plain, */*';
const WAYS = [AXIOS, FETCH, '', 'application/json'];

/** What a request is to the choice of its Accept. */
interface Asking {
  operation: string | undefined;
  /** The kind of bad credentials that it has. */
  flaw: string | undefined;
  /** What a refusal is to clients that do not name JSON is not shown (gap error-accept). */
  mayBeRefused: boolean;
}

/** Chooses the Accept of each request, so that each operation is asked, and refuses, in each way of clients. */
export class AcceptTurns {
  readonly #turns = new Map<string, number>();

  /** Names JSON until the operation has succeeded, and in the first request with bad credentials of a kind: others are compared with these. */
  next({ operation, flaw, mayBeRefused }: Asking, hasSucceeded: boolean): string {
    if (operation === undefined || (flaw === undefined && (mayBeRefused || !hasSucceeded))) return AXIOS;
    const isFirst = flaw !== undefined && this.#turnOf(`${operation} ${flaw}`) === 1;
    return isFirst ? AXIOS : (WAYS[this.#turnOf(`${operation} ${flaw !== undefined}`) % WAYS.length] ?? AXIOS);
  }

  /** 1, 2, 3, … */
  #turnOf(key: string): number {
    const turn = (this.#turns.get(key) ?? 0) + 1;
    this.#turns.set(key, turn);
    return turn;
  }
}
