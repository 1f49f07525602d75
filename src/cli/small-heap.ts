import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Maximum size of the young generation in bytes: two semi-spaces, one of them in use. */
const maxYoung = 8 * 1024 * 1024;

// V8 reads this factor whenever the young generation could grow; a limit can only be set on Node's command line.
const growYoungBy = (factor: 1 | 2): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`);

const isGrown = (): boolean =>
  getHeapSpaceStatistics().some(({ space_name: name, space_size: size }) => name === 'new_space' && size >= maxYoung);

/**
 * Makes V8 keep the heap of a dedicated server process small. Requests leave few long-lived objects, so a larger heap takes
 * memory and saves little. The young generation is limited to 8 MiB, and the old one is collected after doubling, not after growing to
 * three times its size; sooner, replicas would collect all the time: what waits for Redis gets old. Hardly anything survives in
 * the young one: one thread collects it sooner than several that have to agree.
 * @returns to be called once the server listens: until then the young generation does not grow, to keep start-up fast
 */
export function keepHeapSmall(): () => void {
  setFlagsFromString('--heap-growing-percent=100');
  setFlagsFromString('--no-parallel-scavenge');
  growYoungBy(1);
  return () => {
    if (isGrown()) return;
    growYoungBy(2);
    const collections = new PerformanceObserver(() => {
      if (!isGrown()) return;
      growYoungBy(1);
      collections.disconnect();
    });
    collections.observe({ entryTypes: ['gc'] });
  };
}
