import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Bytes of the young generation: two halves, of which one holds what is new. */
const youngest = 8 * 1024 * 1024;

// V8 asks for this factor each time that its young generation might grow; a limit is only taken on node's command line.
const growYoungBy = (factor: 1 | 2): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`);

const isGrown = (): boolean =>
  getHeapSpaceStatistics().some(({ space_name: name, space_size: size }) => name === 'new_space' && size >= youngest);

/**
 * Has V8 keep the heap of a process that serves and does nothing else small: a request leaves nothing behind that lives
 * on, so that room for it only takes memory, under load as much again as all that the server needs. The young
 * generation is held at 8 MiB, and the old one is collected when it has grown by a third, not to three times its size.
 * @returns to be called when the server is up: until then the young generation stays as it is, as a start is too busy
 * to be watched
 */
export function keepHeapSmall(): () => void {
  setFlagsFromString('--heap-growing-percent=30');
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
