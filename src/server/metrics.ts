import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { isControl } from '../control/is-control.ts';
import type { ServiceMetrics } from '../core/world/world.ts';
import type { Worlds } from '../core/world/worlds.ts';
import type { Observed, Observer } from './options.ts';

/** Seconds: the mock needs fractions of a millisecond, armed delays need seconds. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Metrics of one process, with prom-client's own. Enabled at startup: without them a request costs nothing. */
export function processMetrics(worlds: Worlds): ServiceMetrics & { readonly observe: Observer } {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name: `platform_mock_${name}`, help, labelNames, registers });
  const histogram = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Histogram({ name: `platform_mock_${name}`, help, labelNames, buckets, registers });
  const requests = counter(
    'requests_total',
    'Requests, by operation (control, route, upstream or none where it is none of the API) and status.',
    ['operation', 'status'],
  );
  const seconds = histogram(
    'request_duration_seconds',
    'From the request to the end of its answer, without deliberate delays; control plane left out.',
    ['operation'],
  );
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name: `platform_mock_${name}`,
      help,
      registers,
      collect() {
        this.set(value());
      },
    });
  const sum = (of: (world: Worlds['main']) => number) => worlds.all().reduce((total, world) => total + of(world), 0);
  gauge('worlds', 'Worlds in this process: the main one and its sandboxes.', () => worlds.count + 1);
  gauge('sandboxes_limit', 'How many sandboxes there may be.', () => worlds.limit);
  gauge('journal_requests', 'Requests since the journals were cleared, dropped entries included.', () =>
    sum(({ journal }) => journal.total),
  );
  gauge('own_violations', 'Bugs: answers that violated the spec.', () => sum(({ ownViolations }) => ownViolations));
  const trips = histogram('store_round_trip_seconds', 'Requests to the store, by outcome.', ['outcome']);
  const conflicts = counter(
    'store_conflicts_total',
    'Batches of requests that ran again since another replica had changed their world first.',
  );
  return {
    observe: (observed) => {
      const operation = operationOf(observed);
      requests.inc({ operation, status: observed.status ?? 'aborted' });
      const taken = Math.max(0, observed.milliseconds - observed.delayMs) / 1000;
      if (operation !== 'control') seconds.observe({ operation }, taken);
    },
    storeRoundTrip: (taken, outcome) => trips.observe({ outcome }, taken),
    storeConflict: () => conflicts.inc(),
    text: async () => ({ mediaType: registry.contentType, text: await registry.metrics() }),
  };
}

/** Bounded label values, for any client input. */
function operationOf({ operation, url, basis }: Observed): string {
  if (operation !== undefined) return operation;
  if (isControl(url)) return 'control';
  if (basis === 'yours') return 'route';
  return basis === 'upstream' ? basis : 'none';
}
