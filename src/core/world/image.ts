import type { Answers } from '../profiles/answers.ts';
import { type ClockSetting, machineTime } from './clock.ts';
import { type CustomImage, emptyCustom } from './custom-state.ts';
import type { FaultArm } from './fault-arms.ts';
import type { RecordingStatus } from './records.ts';
import { emptyStore, type SeedLayer, type StoreImage } from './store.ts';

/** A status that a recording gets at a time of the world's clock. */
export interface PlannedStatus {
  readonly recording: string;
  readonly status: RecordingStatus;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The state of a world at one moment. Immutable and shared: snapshots, forks, resets and new sandboxes restore an image. */
export interface WorldImage {
  readonly seed: number;
  /** Total recordings, if configured. */
  readonly recordings?: number | undefined;
  readonly answers: Answers;
  readonly seedLayer: SeedLayer;
  readonly store: StoreImage;
  readonly counters: ReadonlyMap<string, number>;
  readonly clock: ClockSetting;
  readonly arms: readonly FaultArm[];
  readonly planned: readonly PlannedStatus[];
  /** Number of random numbers drawn. */
  readonly draws: number;
  readonly custom: CustomImage;
}

export interface InitialWorld extends Pick<WorldImage, 'seed' | 'answers' | 'seedLayer' | 'recordings'> {
  readonly arms?: readonly FaultArm[];
}

/** The image of a new, unchanged world. */
export const initialImage = ({ arms = [], ...rest }: InitialWorld): WorldImage => ({
  ...rest,
  store: emptyStore,
  counters: new Map(),
  clock: machineTime,
  arms,
  planned: [],
  draws: 0,
  custom: emptyCustom,
});
