import type { Faker } from '@faker-js/faker';
import { sha256Number } from '../crypto.ts';
import type { Answers } from '../profiles/answers.ts';
import { type Recording, recordingStatuses } from './records.ts';

/**
 * Gives faker, in English. In Node it is loaded then: it is a tenth of a start and of the memory, and most who use the
 * mock never come to a record that nobody wrote.
 */
export interface LoadFaker {
  (): Faker;
  /** Where it cannot be loaded at once: awaited before a world that has such records. */
  readonly prepare?: () => Promise<unknown>;
}

/** Makes the records that nobody wrote by hand. */
export interface Filler {
  /** @param at position among the filled recordings, which alone (with the seed) decides what comes out */
  recording(id: string, at: number, owner: string): Recording;
}

interface FillerOptions {
  readonly seed: number;
  readonly answers: Answers;
  readonly loadFaker: LoadFaker;
}

/** A filler for one seed; vocabularies are those of the profile. */
export function createFiller({ seed, answers, loadFaker }: FillerOptions): Filler {
  return {
    recording(id, at, owner) {
      const faker = loadFaker();
      // Seeded anew for each record, so that the order in which they are made does not matter.
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
