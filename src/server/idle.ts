import type { Worlds } from '../core/world/worlds.ts';

const mostSeconds = 60;

/** Deletes sandboxes that were unused for that many seconds, until the returned function is called. */
export function expireIdle(worlds: Worlds, seconds: number): () => void {
  const every = Math.max(1, Math.min(mostSeconds, seconds / 4));
  const timer = setInterval(() => worlds.deleteUnusedFor(seconds * 1000), every * 1000).unref();
  return () => clearInterval(timer);
}
