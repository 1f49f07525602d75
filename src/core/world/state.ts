import type { RouteRule } from '../custom-routes/route.ts';
import type { Answers } from '../profiles/answers.ts';
import { answersFrom } from '../profiles/load.ts';
import type { components } from '../spec/control-types.ts';
import type { GapAnswers } from '../spec/gaps.ts';
import type { Immutable } from '../spec/json.ts';
import { type ClockSetting, machineTime } from './clock.ts';
import type { CustomRecord, RecordingStatus } from './records.ts';
import type { Seeds } from './seeds.ts';
import { emptyStore, type SeedLayer, type StoreImage } from './store.ts';
import { moveVocabularies } from './vocabulary.ts';

/** An armed fault, with its parameters and the requests that it is for: in texts of these, `*` matches anything. */
export type FaultArm = Immutable<{ id: string } & NonNullable<components['schemas']['Fault']['armed']>>;

/** A status that a recording gets at a time of the world's clock. */
export interface PlannedStatus {
  readonly recording: string;
  readonly status: RecordingStatus;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface AdHocRoute {
  readonly id: string;
  readonly rule: RouteRule;
}

/** The custom routes that were added to a world, and how often each custom route has answered, by its key. */
export interface RoutesState {
  readonly adHoc: readonly AdHocRoute[];
  readonly made: number;
  readonly served: Readonly<Record<string, number>>;
}

export const unusedRoutes: RoutesState = { adHoc: [], made: 0, served: {} };

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
  readonly routes: RoutesState;
}

export interface InitialWorld extends Pick<WorldImage, 'seed' | 'answers' | 'seedLayer' | 'recordings'> {
  readonly arms?: readonly FaultArm[];
}

export const initialImage = ({ arms = [], ...rest }: InitialWorld): WorldImage => ({
  ...rest,
  store: emptyStore,
  counters: new Map(),
  clock: machineTime,
  arms,
  planned: [],
  draws: 0,
  routes: unusedRoutes,
});

export interface WorldState extends Omit<WorldImage, 'answers' | 'seedLayer' | 'store' | 'counters'> {
  readonly profile: { readonly name: string; readonly answers: Partial<GapAnswers> };
  readonly counters: Readonly<Record<string, number>>;
  /** Table -> id -> record, or null if deleted. */
  readonly changes: Readonly<Record<string, Readonly<Record<string, object | null>>>>;
}

export const profileState = (answers: Answers): WorldState['profile'] => ({
  name: answers.profile,
  answers: answers.differences(),
});

/** Equal images have equal JSON: their members may be in any order. */
export function stateOf({ seed, recordings, clock, arms, planned, draws, routes, ...image }: WorldImage): WorldState {
  const { answers, counters, store } = image;
  const changes = Object.fromEntries(Array.from(store, ([name, records]) => [name, Object.fromEntries(records)]));
  return {
    seed,
    recordings,
    clock,
    arms,
    planned,
    draws,
    routes,
    profile: profileState(answers),
    counters: Object.fromEntries(counters),
    changes,
  };
}

/** The image of a state, over the seed layers of this process; throws ConfigError for an invalid profile. */
export function imageOf({ profile, counters, changes, ...rest }: WorldState, seeds: Seeds): WorldImage {
  const answers = answersFrom(profile);
  const { seed, recordings } = rest;
  const tables = Object.entries(changes as Readonly<Record<string, Record<string, CustomRecord | null>>>);
  return {
    ...rest,
    answers,
    seedLayer: seeds.layer({ seed, answers, recordings }),
    store: new Map(tables.map(([name, records]) => [name, new Map(Object.entries(records))])),
    counters: new Map(Object.entries(counters)),
  };
}

/** The image under other answers and over another seed layer; changed records are kept. */
export const rebased = (image: WorldImage, answers: Answers, seedLayer: SeedLayer): WorldImage => ({
  ...image,
  answers,
  seedLayer,
  store: moveVocabularies(image.store, image.answers, answers),
});
