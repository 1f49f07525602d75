import type { EffortName } from '../effort.ts';
import type { Machine } from '../machine.ts';
import type { OperationName } from '../operations.ts';
import type { ServerName } from '../servers.ts';

/** One measurement of load. */
export interface LoadPoint {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** What server and load generator used of one core each. */
  readonly serverCpu: number;
  readonly loadCpu: number;
}

/** How many faults of the mock a run of so many requests catches (`npm run score -- --curve`). */
interface KillPoint {
  readonly requests: number;
  readonly faults: number;
  readonly killed: number;
}

/** What `npm run bench -- --plots` measures and keeps in docs/plots/data.json. */
export interface PlotData {
  /** Kept in a file of its own, docs/plots/kill-rate.json. */
  readonly killRate?: readonly KillPoint[];
  readonly startedAt: string;
  readonly seconds: number;
  readonly effort: EffortName;
  readonly commit: string;
  readonly machine: Machine;
  /** Versions of the others. */
  readonly versions: Readonly<Record<string, string>>;
  /** What could not be measured, and why. */
  readonly skipped: readonly string[];
  /** Updates. */
  readonly connections: readonly ({ readonly server: ServerName; readonly connections: number } & LoadPoint)[];
  readonly recordings: readonly ({
    readonly operation: OperationName;
    readonly recordings: number;
    /** MiB, after the load. */
    readonly memory: number;
    /** Milliseconds to the first response. */
    readonly start: number;
  } & LoadPoint)[];
  /** Requests to all of them in turn. */
  readonly sandboxes: readonly ({
    readonly operation: OperationName;
    readonly sandboxes: number;
    /** MiB, after the load. */
    readonly memory: number;
  } & LoadPoint)[];
  /** MiB after so many updates. */
  readonly memory: readonly { readonly server: ServerName; readonly requests: number; readonly memory: number }[];
  readonly latency: readonly ({ readonly kind: VerifyKind; readonly latency: number } & VerifyPoint)[];
  readonly limits: readonly ({ readonly kind: LimitKind; readonly limit: number } & VerifyPoint)[];
}

export type VerifyKind = 'verify' | 'verify --quick';
/** The target limits, or the suite is told to. */
export type LimitKind = VerifyKind | 'verify --rps';

export interface VerifyPoint {
  /** Wall time. */
  readonly seconds: number;
  readonly requests: number;
  readonly verdict: string;
}
