import type { ForkSource, SandboxSummary } from '../../core/world/other-worlds.ts';
import type { WorldState } from '../../core/world/state.ts';
import type { Credentials } from '../tls.ts';

/** Set in the environment of a worker. */
export const workerVariable = 'PLATFORM_MOCK_IS_WORKER';

/** What a worker has to know before it starts. */
export interface Place {
  /** From 0, which holds the main world. */
  readonly index: number;
  /** Of the server. */
  readonly port: number;
  /** For HTTPS: one certificate for all. */
  readonly credentials: Credentials | undefined;
  /** Of each worker, the Unix socket or named pipe under which the others reach it. */
  readonly paths: readonly string[];
  /** The main world's origin, where that has changed since the start. */
  readonly origin: WorldState | undefined;
  /** It takes the place of one that ended. */
  readonly isReplacement: boolean;
}

export type ImageAnswer = { readonly state: WorldState } | { readonly missing: string };

/** What the primary answers to a worker. */
export interface PrimaryAnswers {
  place(none: undefined): Place;
  /** The worker takes requests; resolves when all do. */
  ready(none: undefined): Promise<void>;
  /** Whether the limit has room for a sandbox of that name, which counts from now on. */
  reserve(name: string): Promise<boolean>;
  /** That sandbox does not exist, or does no longer. */
  release(name: string): void;
  image(source: ForkSource): Promise<ImageAnswer>;
  count(none: undefined): number;
  sandboxes(none: undefined): Promise<SandboxSummary[]>;
  deleteSandboxes(none: undefined): Promise<void>;
  origin(state: WorldState): Promise<void>;
  reload(none: undefined): Promise<void>;
}

/** What a worker answers to the primary. */
export interface WorkerAnswers {
  image(source: ForkSource): Promise<ImageAnswer>;
  sandboxes(none: undefined): Promise<SandboxSummary[]>;
  deleteSandboxes(none: undefined): Promise<void>;
  origin(state: WorldState): Promise<void>;
  reload(none: undefined): Promise<void>;
  /** Deletes sandboxes that nobody used for a while and whose next use makes them as they are. */
  makeRoom(none: undefined): void;
  /** Finishes what is in flight, for so many milliseconds at most. */
  drain(timeoutMs: number): Promise<void>;
  /** Closes and ends. */
  stop(none: undefined): void;
}
