/** Cached validation result and JSON text of an immutable body. */
export interface Kept {
  /** The operation and answers under whose schema it is valid. */
  validFor?: object;
  text?: string;
}

const kept = new WeakMap<object, Kept>();

/** Marks a body that will be answered again. It and its members must not change from now on. */
export function keep<T extends object>(body: T): T {
  kept.set(body, {});
  for (const member of Object.values(body)) Object.freeze(member);
  return Object.freeze(body);
}

/** What is cached of a body that `keep` marked. */
export const keptOf = (body: unknown): Kept | undefined =>
  typeof body === 'object' && body !== null ? kept.get(body) : undefined;
