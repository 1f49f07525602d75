import type { Worlds } from '../core/world/worlds.ts';

/** How often it is looked, at most. */
const mostSeconds = 60;

/**
 * Deletes sandboxes that nobody has used for so many seconds.
 * @returns a function that ends it
 */
export function expireIdle(worlds: Worlds, seconds: number): () => void {
  const every = Math.max(1, Math.min(mostSeconds, seconds / 4));
  const timer = setInterval(() => worlds.deleteUnusedFor(seconds * 1000), every * 1000).unref();
  return () => clearInterval(timer);
}
