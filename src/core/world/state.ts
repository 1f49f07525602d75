import type { Answers } from '../profiles/answers.ts';
import type { GapAnswers } from '../spec/gaps.ts';
import type { ClockSetting } from './clock.ts';
import type { FaultArm } from './fault-arms.ts';
import type { PlannedStatus, WorldImage } from './image.ts';
import { emptyStore, type SeedLayer, Store, type StoreChanges, type StoreImage, tableNames } from './store.ts';
import { moveVocabularies } from './vocabulary.ts';

/** An image as JSON: what a state file keeps of it. */
export interface WorldState {
  readonly seed: number;
  readonly recordings?: number | undefined;
  readonly profile: { readonly name: string; readonly answers: Partial<GapAnswers> };
  readonly counters: Readonly<Record<string, number>>;
  readonly changes: Partial<StoreChanges>;
  readonly clock: ClockSetting;
  readonly arms: readonly FaultArm[];
  readonly planned: readonly PlannedStatus[];
  readonly draws: number;
}

export function stateOf({ answers, store, counters, seedLayer: _, ...plain }: WorldImage): WorldState {
  return {
    ...plain,
    profile: { name: answers.profile, answers: answers.differences() },
    counters: Object.fromEntries(counters),
    changes: Object.fromEntries(
      tableNames.map((name) => [name, Object.fromEntries(store[name].changes)]),
    ) as StoreChanges,
  };
}

/**
 * The changes of a state, over the seed that they were made over.
 * @param words the answers whose vocabularies they were written in, and those that they are to be in
 */
export function storeImageFrom(
  { changes }: Pick<WorldState, 'changes'>,
  seedLayer: SeedLayer,
  words?: { readonly from: Answers; readonly to: Answers },
): StoreImage {
  const store = new Store(seedLayer);
  store.apply(changes);
  if (words) moveVocabularies(store, words.from, words.to);
  return store.image();
}

/** The image under other answers and over another seed layer; what was changed stays changed. */
export function rebased(image: WorldImage, answers: Answers, seedLayer: SeedLayer): WorldImage {
  if (image.store === emptyStore) return { ...image, answers, seedLayer };
  const words = { from: image.answers, to: answers };
  return { ...image, answers, seedLayer, store: storeImageFrom(stateOf(image), seedLayer, words) };
}
