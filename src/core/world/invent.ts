import type { Faker } from '@faker-js/faker';
import { sha256Number } from '../crypto.ts';
import { type Recording, recordingStatuses } from './records.ts';

export type Vocabularies = Readonly<Record<'method' | 'quality' | 'language', readonly string[]>>;

/** A generated recording, without id and owner. Seeded by its position, so that the order of generation does not matter. */
export function inventRecording(faker: Faker, seed: number, at: number, words: Vocabularies): Recording {
  faker.seed(sha256Number(`${seed} recording ${at}`));
  const created = faker.date.between({ from: '2025-01-01T00:00:00.000Z', to: '2025-12-31T23:59:59.000Z' });
  const topic = faker.company.catchPhrase();
  const duration = faker.number.int({ min: 60, max: 7200 });
  return {
    id: '',
    title: topic,
    filename: `${faker.helpers.slugify(topic).toLowerCase()}.${faker.helpers.arrayElement(['mp3', 'm4a', 'wav'])}`,
    status: faker.helpers.arrayElement(recordingStatuses),
    method: faker.helpers.arrayElement(words.method),
    quality: faker.helpers.arrayElement(words.quality),
    language: faker.helpers.arrayElement(words.language),
    diarization_enabled: faker.datatype.boolean(),
    user_id: '',
    created_at: created.toISOString(),
    updated_at: new Date(created.getTime() + duration * 1000).toISOString(),
    duration_seconds: duration,
  };
}
