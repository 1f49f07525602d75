import type { Counters } from '../../core/world/world.ts';
import type { RedisLink } from './link.ts';

/** Counts events by key in fixed windows, of all replicas together, on the machines' clocks. */
export const sharedCounters = (link: RedisLink, prefix: string): Counters => ({
  /** @throws StoreUnavailable */
  async count(key, seconds) {
    const now = Date.now() / 1000;
    const number = Math.floor(now / seconds);
    const secondsLeft = Math.max(1, Math.ceil((number + 1) * seconds - now));
    const name = `${prefix}count:${number}:${key}`;
    // First: whatever fails after it, no key stays for ever. Twice as long, since clocks differ.
    await link.call(name, ['SET', name, '0', 'EX', String(2 * seconds), 'NX']);
    return { made: Number(await link.call(name, ['INCR', name])), secondsLeft };
  },
});
