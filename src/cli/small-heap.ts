import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Maximum size of the young generation in bytes: two semi-spaces, one of them in use. */
const maxYoung = 8 * 1024 * 1024;

// V8 reads this factor whenever the young generation could grow; a limit can only be set on Node's command line.
const growYoungBy = (factor: 1 | 2): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`);

const isGrown = (): boolean =>
  getHeapSpaceStatistics().some(({ space_name: name, space_size: size }) => name === 'new_space' && size >= maxYoung);

// Requests leave few long-lived objects, so a larger heap takes memory and saves little. The old generation is collected after doubling, not
// after tripling; sooner, replicas would collect all the time. One thread collects the young one sooner than several that have to agree.
/** Keeps the heap of a server process small. The returned function is called once it listens: until then a fast start matters. */
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
