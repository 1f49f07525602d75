// Recordings that the build makes ahead: those of faker, and without it.
import { faker } from '@faker-js/faker/locale/en';
import { expect, test } from 'vitest';
import { createPortableMock } from '../../doors/portable.ts';
import { invented } from '../generated/data.js';
import { defaultAnswers } from '../spec/gaps.ts';
import { inventRecording } from './invent.ts';

const idsOf = async ({ control }: Awaited<ReturnType<typeof createPortableMock>>) => {
  const params = { path: { resource: 'recordings' as const }, query: { limit: 100 } };
  return (await control.GET('/state/{resource}', { params })).data.items.map(({ id }) => id);
};

test('they are what faker makes of the default seed', () => {
  const answers = defaultAnswers();
  const words = {
    method: answers['method-values'],
    quality: answers['quality-values'],
    language: answers['language-values'],
  };
  expect(invented.recordings).toHaveLength(24);
  expect(invented.recordings).toEqual(
    Array.from({ length: 24 }, (_, at) => inventRecording(faker, invented.seed, at, words)),
  );
});

test.each([
  ['another seed', { seed: 2 }],
  ['more recordings', { recordings: 60 }],
  ['other words', { profile: { answers: { 'method-values': ['by-phone'] } } }],
])('%s loads faker, and defaults do not; a change of a running world may', async (_name, options) => {
  const mock = await createPortableMock();
  expect(await idsOf(mock)).toHaveLength(24);
  expect(mock.worlds.seeds.loadFaker).toThrow('not awaited');
  const other = await createPortableMock(options);
  expect((await idsOf(other)).length).toBeGreaterThanOrEqual(24);
  expect(other.worlds.seeds.loadFaker).not.toThrow();
  await mock.control.PATCH('/profile', { body: { answers: { 'quality-values': ['best'] } } });
  expect(await idsOf(mock)).toHaveLength(24);
});
