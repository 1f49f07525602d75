import type { Faker } from '@faker-js/faker';
import { sha256Number } from '../crypto.ts';
import type { Answers } from '../profiles/answers.ts';
import { type Recording, recordingStatuses } from './records.ts';

/**
 * Returns faker with its English locale. In Node it is loaded on first use: it takes a tenth of start-up time and memory,
 * and most uses never read a generated record.
 */
export interface LoadFaker {
  (): Faker;
  /** Loads faker where that is asynchronous; awaited before creating a world with such records. */
  readonly prepare?: () => Promise<unknown>;
}

/** Generates records. */
export interface Filler {
  /** @param at position among the generated recordings; with the seed it alone determines the record */
  recording(id: string, at: number, owner: string): Recording;
}

interface FillerOptions {
  readonly seed: number;
  readonly answers: Answers;
  readonly loadFaker: LoadFaker;
}

/** A filler for one seed and the vocabularies of a profile. */
export function createFiller({ seed, answers, loadFaker }: FillerOptions): Filler {
  return {
    recording(id, at, owner) {
      const faker = loadFaker();
      // Seeded per record, so that the order of generation does not matter.
      faker.seed(sha256Number(`${seed} recording ${at}`));
      const created = faker.date.between({ from: '2025-01-01T00:00:00.000Z', to: '2025-12-31T23:59:59.000Z' });
      const topic = faker.company.catchPhrase();
      const duration = faker.number.int({ min: 60, max: 7200 });
      return {
        id,
        title: topic,
        filename: `${faker.helpers.slugify(topic).toLowerCase()}.${faker.helpers.arrayElement(['mp3', 'm4a', 'wav'])}`,
        status: faker.helpers.arrayElement(recordingStatuses),
        method: faker.helpers.arrayElement(answers.get('method-values')),
        quality: faker.helpers.arrayElement(answers.get('quality-values')),
        language: faker.helpers.arrayElement(answers.get('language-values')),
        diarization_enabled: faker.datatype.boolean(),
        user_id: owner,
        created_at: created.toISOString(),
        updated_at: new Date(created.getTime() + duration * 1000).toISOString(),
        duration_seconds: duration,
      };
    },
  };
}
