import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Bytes: two halves, of which one holds what is new. */
const largest = 8 * 1024 * 1024;

// V8 asks for this factor each time that its young generation might grow; a limit is only taken on node's command line.
const growBy = (factor: 1 | 2): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`);

const isLargest = (): boolean =>
  getHeapSpaceStatistics().some(({ space_name: name, space_size: size }) => name === 'new_space' && size >= largest);

/**
 * Keeps V8's young generation, which grows to several times that under load, at 8 MiB. A request leaves nothing behind
 * that lives on, so that a larger one only takes memory: a third of all that a server has. For a process that serves
 * and does nothing else.
 * @returns to be called when the server is up: until then it stays as it is, as a start is too busy to be watched
 */
export function limitYoungGeneration(): () => void {
  growBy(1);
  return () => {
    if (isLargest()) return;
    growBy(2);
    const collections = new PerformanceObserver(() => {
      if (!isLargest()) return;
      growBy(1);
      collections.disconnect();
    });
    collections.observe({ entryTypes: ['gc'] });
  };
}
