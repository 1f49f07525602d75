import type { Answers } from '../profiles/answers.ts';
import { answersFrom } from '../profiles/load.ts';
import type { GapAnswers } from '../spec/gaps.ts';
import { type ClockSetting, machineTime } from './clock.ts';
import { type CustomImage, type CustomJson, customImage, customJson, emptyCustom } from './custom-state.ts';
import type { RecordingStatus } from './records.ts';
import type { Seeds } from './seeds.ts';
import { emptyStore, type SeedLayer, type StoreChanges, type StoreImage, storeImageFrom, tableNames } from './store.ts';
import { moveVocabularies } from './vocabulary.ts';

/** Which requests an armed fault is for. In texts, `*` matches anything. */
export interface RequestMatch {
  readonly method?: string;
  /** Without the prefix of a sandbox. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Members that the body must have; it may have more. */
  readonly body?: Readonly<Record<string, unknown>>;
}

export interface FaultArm {
  readonly id: string;
  /** The fault's parameters, such as `ms`. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  /** Only requests of that operation. */
  readonly operation?: string | undefined;
  readonly request?: RequestMatch | undefined;
  /** Only that many more hits. */
  readonly left?: number | undefined;
  /** Only every nth request that it could hit. */
  readonly every?: number | undefined;
  /** Share of the requests, from 0 to 1. */
  readonly probability: number;
}

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

export interface WorldState extends Pick<WorldImage, 'seed' | 'recordings' | 'clock' | 'arms' | 'planned' | 'draws'> {
  readonly profile: { readonly name: string; readonly answers: Partial<GapAnswers> };
  readonly counters: Readonly<Record<string, number>>;
  readonly changes: Partial<StoreChanges>;
  /** Absent if empty. */
  readonly own?: CustomJson;
}

/** Equal images have equal JSON: their members may be in any order. */
export function stateOf({ seed, recordings, clock, arms, planned, draws, answers, ...image }: WorldImage): WorldState {
  const own = customJson(image.custom);
  return {
    seed,
    recordings,
    clock,
    arms,
    planned,
    draws,
    ...(own && { own }),
    profile: { name: answers.profile, answers: answers.differences() },
    counters: Object.fromEntries(image.counters),
    changes: Object.fromEntries(
      tableNames.map((name) => [name, Object.fromEntries(image.store[name])]),
    ) as StoreChanges,
  };
}

/** The image of a state, over the seed layers of this process; throws ConfigError for an invalid profile. */
export function imageOf(state: WorldState, seeds: Seeds): WorldImage {
  const { seed, recordings, profile, counters, changes, clock, arms, planned, draws, own } = state;
  const answers = answersFrom(profile);
  return {
    seed,
    recordings,
    answers,
    seedLayer: seeds.layer({ seed, answers, recordings }),
    store: storeImageFrom(changes),
    counters: new Map(Object.entries(counters)),
    clock,
    arms,
    planned,
    draws,
    custom: customImage(own),
  };
}

/** The image under other answers and over another seed layer; changed records are kept. */
export const rebased = (image: WorldImage, answers: Answers, seedLayer: SeedLayer): WorldImage => ({
  ...image,
  answers,
  seedLayer,
  store: image.store === emptyStore ? emptyStore : moveVocabularies(image.store, image.answers, answers),
});
