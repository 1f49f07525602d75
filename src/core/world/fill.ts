import type { Faker } from '@faker-js/faker';
import { invented } from '../generated/data.js';
import type { Answers } from '../profiles/answers.ts';
import { inventRecording } from './invent.ts';
import type { Recording } from './records.ts';

/** Loads faker with its English locale: in Node on first use, as it takes a tenth of start-up time and memory. */
export interface LoadFaker {
  (): Faker;
  /** Loads faker where that is asynchronous; awaited before creating a world with such records. */
  readonly prepare?: () => Promise<unknown>;
}

export interface Filler {
  /** @param at position among the generated recordings; with the seed it alone determines the record */
  recording(id: string, at: number, owner: string): Recording;
}

interface FillOptions {
  readonly seed: number;
  readonly answers: Answers;
}

const vocabularies = ['method-values', 'quality-values', 'language-values'] as const;

/** The recordings that the build has generated for this seed and these vocabularies: they need no faker. */
const madeAhead = ({ seed, answers }: FillOptions): readonly Recording[] =>
  seed === invented.seed && vocabularies.every((gap) => answers.isDefault(gap)) ? invented.recordings : [];

/** Whether that many generated recordings need faker. */
export const needsFaker = (count: number, options: FillOptions): boolean => count > madeAhead(options).length;

/** A filler for one seed and the vocabularies of a profile. */
export function createFiller({ loadFaker, ...options }: FillOptions & { readonly loadFaker: LoadFaker }): Filler {
  const { seed, answers } = options;
  const made = madeAhead(options);
  const [method, quality, language] = vocabularies.map((gap) => answers.get(gap)) as [string[], string[], string[]];
  return {
    recording: (id, at, owner) => ({
      ...(made[at] ?? inventRecording(loadFaker(), seed, at, { method, quality, language })),
      id,
      user_id: owner,
    }),
  };
}
