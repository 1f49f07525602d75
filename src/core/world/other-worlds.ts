import type { WorldState } from './state.ts';

/** What a fork starts from. */
export interface ForkSource {
  /** The sandbox; '' for the main world. */
  readonly world: string;
  readonly snapshot?: string | undefined;
  /** The request addresses that sandbox, which makes it. */
  readonly isAddressed: boolean;
}

/** A sandbox as a list shows it. */
export interface SandboxSummary {
  readonly name: string;
  readonly profile: string;
  readonly seed: number;
  readonly changes: number;
  readonly requests: number;
}

/** The worlds of the same server that other processes hold. Where one process holds all, there is none of this. */
export interface OtherWorlds {
  /** Whether another process holds the world of that name. */
  holds(name: string): boolean;
  /** The image there, or why there is none. */
  imageOf(source: ForkSource): Promise<{ readonly state: WorldState } | { readonly missing: string }>;
  /** Number of sandboxes in all processes. */
  count(): Promise<number>;
  /** The sandboxes of all processes, in order of creation. */
  sandboxes(): Promise<SandboxSummary[]>;
  /** Deletes the sandboxes of all processes. */
  deleteSandboxes(): Promise<void>;
  /** The main world starts from something else from now on: new sandboxes everywhere start from it once this resolves. */
  originChanged(): Promise<void>;
}
