import type { Answers } from '../profiles/answers.ts';
import { answersFrom } from '../profiles/load.ts';
import type { GapAnswers } from '../spec/gaps.ts';
import { type CustomJson, customImage, customJson } from './custom-state.ts';
import type { WorldImage } from './image.ts';
import type { Seeds } from './seeds.ts';
import { emptyStore, type SeedLayer, type StoreChanges, storeImageFrom, tableNames } from './store.ts';
import { moveVocabularies } from './vocabulary.ts';

export interface WorldState extends Pick<WorldImage, 'seed' | 'recordings' | 'clock' | 'arms' | 'planned' | 'draws'> {
  readonly profile: { readonly name: string; readonly answers: Partial<GapAnswers> };
  readonly counters: Readonly<Record<string, number>>;
  readonly changes: Partial<StoreChanges>;
  /** Absent if empty. */
  readonly own?: CustomJson;
}

export function stateOf({ answers, store, counters, seedLayer: _, custom, ...plain }: WorldImage): WorldState {
  const own = customJson(custom);
  return {
    ...plain,
    ...(own && { own }),
    profile: { name: answers.profile, answers: answers.differences() },
    counters: Object.fromEntries(counters),
    changes: Object.fromEntries(tableNames.map((name) => [name, Object.fromEntries(store[name])])) as StoreChanges,
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
