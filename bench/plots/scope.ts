import type { EffortName } from '../effort.ts';

/** What the curves consist of. */
export interface Scope {
  /** Seconds of load for a point. */
  readonly seconds: number;
  readonly connections: readonly number[];
  readonly recordings: readonly number[];
  readonly sandboxes: readonly number[];
  /** Updates whose memory is sampled; peers end earlier, after `memorySeconds`. */
  readonly updates: number;
  readonly memorySeconds: number;
  /** Milliseconds. */
  readonly latencies: readonly number[];
  /** Requests a second. */
  readonly limits: readonly number[];
}

const full: Scope = {
  seconds: 2,
  connections: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
  recordings: [100, 1000, 10_000, 100_000, 1_000_000],
  sandboxes: [1, 10, 100, 1000, 10_000],
  updates: 1_000_000,
  memorySeconds: 30,
  latencies: [0, 25, 50, 100, 200, 300],
  limits: [2, 5, 10, 20, 50],
};

export const scopes: Readonly<Record<EffortName, Scope>> = {
  full,
  quick: { ...full, seconds: 1, updates: 200_000, memorySeconds: 10 },
  tiny: {
    seconds: 1,
    connections: [1, 4, 16],
    recordings: [100, 1000],
    sandboxes: [1, 10, 100],
    updates: 20_000,
    memorySeconds: 2,
    latencies: [0, 20],
    limits: [20, 50],
  },
};
