import type { Answers } from '../profiles/answers.ts';
import { type ClockSetting, machineTime } from './clock.ts';
import type { FaultArm } from './fault-arms.ts';
import type { RecordingStatus } from './records.ts';
import { emptyStore, type SeedLayer, type StoreImage } from './store.ts';

/** A status that a recording takes when the world's clock gets there. */
export interface PlannedStatus {
  readonly recording: string;
  readonly status: RecordingStatus;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * A world at one moment. Immutable, and shared by whoever holds it: a snapshot, a fork, a reset and a new sandbox are
 * all the same thing, namely restoring an image.
 */
export interface WorldImage {
  readonly seed: number;
  /** Recordings in all, where somebody said how many. */
  readonly recordings?: number | undefined;
  readonly answers: Answers;
  readonly seedLayer: SeedLayer;
  readonly store: StoreImage;
  readonly counters: ReadonlyMap<string, number>;
  readonly clock: ClockSetting;
  readonly arms: readonly FaultArm[];
  readonly planned: readonly PlannedStatus[];
  /** How many random numbers were drawn. */
  readonly draws: number;
}

export interface Beginning extends Pick<WorldImage, 'seed' | 'answers' | 'seedLayer' | 'recordings'> {
  /** Ids of faults to arm. */
  readonly faults?: readonly string[];
}

/** The image of a world to which nothing has happened yet. */
export const beginningOf = ({ faults = [], ...rest }: Beginning): WorldImage => ({
  ...rest,
  store: emptyStore,
  counters: new Map(),
  clock: machineTime,
  arms: faults.map((id) => ({ id, probability: 1 })),
  planned: [],
  draws: 0,
});
