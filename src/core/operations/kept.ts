/** What was found out about a body: it holds for as long as it is the same object. */
export interface Kept {
  /** The operation, under certain answers, whose schema it is valid by. */
  validFor?: object;
  text?: string;
}

const kept = new WeakMap<object, Kept>();

/** Marks a body that will be answered again. It and its members may not be changed from now on. */
export function keep<T extends object>(body: T): T {
  kept.set(body, {});
  for (const member of Object.values(body)) Object.freeze(member);
  return Object.freeze(body);
}

/** What is known about a body that is kept. */
export const keptOf = (body: unknown): Kept | undefined =>
  typeof body === 'object' && body !== null ? kept.get(body) : undefined;
