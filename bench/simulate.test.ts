import { expect, test } from 'vitest';
import { type Costs, type Deployment, simulate } from './simulate.ts';

const costs: Costs = { replica: 0.1, load: 0.05, commit: 0.02 };
const one: Deployment = { replicas: 1, shards: 1, clients: 64, sandboxes: 64, roundTrip: 0.1 };
const rate = (changes: Partial<Deployment>): number => simulate(costs, { ...one, ...changes }).perSecond;

test('what is slowest limits: the replica, until there are enough of them, then Redis', () => {
  expect(rate({}) / 10_000).toBeCloseTo(1, 1);
  expect(rate({ replicas: 4, clients: 256, sandboxes: 256 }) / 40_000).toBeCloseTo(1, 1);
  const bound = { replicas: 16, clients: 512, sandboxes: 512 };
  expect(rate(bound) / 50_000).toBeCloseTo(1, 1);
  expect(rate({ ...bound, shards: 2 }) / 100_000).toBeCloseTo(1, 1);
});

test('a single client waits for everything in turn: compute, the way, the disk', () => {
  expect(1000 / rate({ clients: 1, sandboxes: 1, sync: 0.5 })).toBeCloseTo(0.1 + 0.1 + 0.02 + 0.5, 2);
});

test('requests of one sandbox go together into a commit, so that one sandbox is not as slow as its round trip', () => {
  const far = { roundTrip: 20, clients: 100, sandboxes: 1 };
  expect(rate(far)).toBeGreaterThan(2000);
  expect(rate({ ...far, clients: 1 })).toBeLessThanOrEqual(50);
});

test('cores that all share slow all down', () => {
  const slowed = rate({ sharedCores: 1 });
  expect(slowed).toBeLessThan(1000 / (costs.replica + costs.load));
  expect(slowed).toBeGreaterThan(0.8 * (1000 / (costs.replica + costs.load + costs.commit)));
  expect(rate({ sharedCores: 8 })).toBeGreaterThan(9000);
});
