import { hmacBase64url, hmacHex, sha256Hex } from '../crypto.ts';

/** What ids are made for; part of what they are derived from. */
export type IdKind = 'user' | 'recording' | 'api-key' | 'pat' | 'pat-secret' | 'refresh-token' | 'jwt' | 'tenant';

const digest = (...parts: (string | number)[]): string => sha256Hex(parts.join('\n'));

/** A UUID derived from its parts: same parts, same id. */
export function derivedId(seed: number, kind: IdKind, owner: string, counter: number): string {
  const hex = digest(seed, kind, owner, counter);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The key that a world of this seed signs its JWTs with: tokens outlive a restart with the same seed. */
export const signingKey = (seed: number): string => hmacHex('platform-mock', `jwt ${seed}`);

/**
 * Hands out ids that depend on seed, kind, owner and how many that owner already has, and on nothing else: the order of
 * unrelated requests does not matter.
 */
export class Ids {
  private isShared = true;

  constructor(
    private readonly seed: number,
    private counters: ReadonlyMap<string, number> = new Map(),
  ) {}

  /** The counters as they are now, shared: they are copied before the next id is handed out. */
  image(): ReadonlyMap<string, number> {
    this.isShared = true;
    return this.counters;
  }

  /** The next UUID of `kind` for `owner`. */
  next(kind: IdKind, owner: string): string {
    return derivedId(this.seed, kind, owner, this.count(kind, owner));
  }

  /** The next secret of `kind` for `owner`: 43 URL-safe characters. */
  nextSecret(kind: IdKind, owner: string): string {
    const material = `${kind} ${owner} ${this.count(kind, owner)}`;
    return hmacBase64url(signingKey(this.seed), material);
  }

  /** The counters, to be kept with the state. */
  toJSON(): Record<string, number> {
    return Object.fromEntries(this.counters);
  }

  private count(kind: IdKind, owner: string): number {
    const key = `${kind} ${owner}`;
    const counter = (this.counters.get(key) ?? 0) + 1;
    if (this.isShared) this.counters = new Map(this.counters);
    this.isShared = false;
    (this.counters as Map<string, number>).set(key, counter);
    return counter;
  }
}
