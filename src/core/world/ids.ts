import { hmacBase64url, hmacHex, sha256Hex } from '../crypto.ts';

/** The kinds of ids; part of what an id is derived from. */
export type IdKind =
  | 'user'
  | 'recording'
  | 'api-key'
  | 'pat'
  | 'pat-secret'
  | 'refresh-token'
  | 'jwt'
  | 'tenant'
  /** Of custom routes. The text is part of their ids: it stays, so that a seed keeps giving the same ones. */
  | 'yours';

/** A UUID derived from its arguments: same arguments, same id. */
export function derivedId(seed: number, kind: IdKind, owner: string, counter: number): string {
  const hex = sha256Hex([seed, kind, owner, counter].join('\n'));
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The key with which a world of this seed signs JWTs: tokens survive a restart with the same seed. */
export const signingKey = (seed: number): string => hmacHex('platform-mock', `jwt ${seed}`);

/** Generates ids from seed, kind, owner and its counter only: the order of unrelated requests does not matter. */
export class Ids {
  private isShared = true;

  constructor(
    private readonly seed: number,
    private counters: ReadonlyMap<string, number> = new Map(),
    private readonly counted: (key: string, count: number) => void = () => {},
  ) {}

  /** The current counters, shared copy-on-write. */
  image(): ReadonlyMap<string, number> {
    this.isShared = true;
    return this.counters;
  }

  next(kind: IdKind, owner: string): string {
    return derivedId(this.seed, kind, owner, this.count(kind, owner));
  }

  /** The ids of a kind and an owner before the latest one, from the last to the first. */
  *before(kind: IdKind, owner: string): Generator<string> {
    for (let counter = (this.counters.get(`${kind} ${owner}`) ?? 0) - 1; counter > 0; counter -= 1)
      yield derivedId(this.seed, kind, owner, counter);
  }

  /** The next secret of `kind` for `owner`: 43 URL-safe characters. */
  nextSecret(kind: IdKind, owner: string): string {
    const material = `${kind} ${owner} ${this.count(kind, owner)}`;
    return hmacBase64url(signingKey(this.seed), material);
  }

  resume(key: string, count: number): void {
    if (this.isShared) this.counters = new Map(this.counters);
    this.isShared = false;
    (this.counters as Map<string, number>).set(key, count);
    this.counted(key, count);
  }

  private count(kind: IdKind, owner: string): number {
    const key = `${kind} ${owner}`;
    const counter = (this.counters.get(key) ?? 0) + 1;
    this.resume(key, counter);
    return counter;
  }
}
