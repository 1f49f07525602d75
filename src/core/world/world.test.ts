import { faker } from '@faker-js/faker/locale/en';
import { describe, expect, test } from 'vitest';
import { createPortableMock, type PortableMock, type PortableOptions } from '../../doors/portable.ts';
import { invented } from '../generated/data.js';
import { defaultAnswers } from '../spec/gaps.ts';
import { Clock } from './clock.ts';
import { shippedFixtures } from './fixtures.ts';
import { Ids } from './ids.ts';
import { inventRecording } from './invent.ts';
import type { World } from './world.ts';

const newWorld = async (options: PortableOptions = {}): Promise<World> => (await createPortableMock(options)).world;
const recordingsOf = (world: World) => [...world.store.recordings.all()];

describe('the seed', () => {
  test('has the same records in every order of reading', async () => {
    const [first, second] = [await newWorld({ recordings: 60 }), await newWorld({ recordings: 60 })];
    const ids = recordingsOf(first).map((recording) => recording.id);
    const backwards = [...ids].reverse().map((id) => second.store.recordings.get(id));
    expect(backwards.reverse()).toEqual(recordingsOf(first));
    expect(ids).toHaveLength(60);
    expect(new Set(ids).size).toBe(60);
  });

  test('of another number has other records', async () => {
    const [first, second] = [await newWorld({ seed: 1 }), await newWorld({ seed: 2 })];
    expect(recordingsOf(first).at(-1)?.id).not.toBe(recordingsOf(second).at(-1)?.id);
    expect(first.signingKey).not.toBe(second.signingKey);
  });

  test('has at least the recordings of the fixtures', async () => {
    expect((await newWorld({ recordings: 0 })).store.recordings.size).toBe(shippedFixtures().recordings.length);
  });
});

test('the store updates its indexes on changes', async () => {
  const { store } = await newWorld();
  const ids = () => store.apiKeys.lookup('tenant', 'ten_flowmatic').map((key) => key.id);
  const [key] = store.apiKeys.lookup('tenant', 'ten_analytical');
  if (!key) throw new Error('no such fixture');
  store.apiKeys.put({ ...key, tenant: 'ten_flowmatic' });
  expect(ids()).toEqual(['key_b1', 'key_b2', 'key_a1']);
  store.apiKeys.delete('key_b1');
  expect(ids()).toEqual(['key_b2', 'key_a1']);
  // An index that is made later is the same.
  const { store: later } = await newWorld();
  later.apiKeys.restore(store.apiKeys.image());
  expect(later.apiKeys.lookup('tenant', 'ten_flowmatic').map((one) => one.id)).toEqual(['key_b2', 'key_a1']);
  expect(store.apiKeys.size).toBe(shippedFixtures().api_keys.length - 1);
  store.apiKeys.restore(new Map());
  expect(ids()).toEqual(['key_b1', 'key_b2']);
});

test('ids do not depend on the order of unrelated requests', () => {
  const [first, second] = [new Ids(1), new Ids(1)];
  const ada = first.next('pat', 'ada');
  first.next('pat', 'grace');
  second.next('pat', 'grace');
  expect(second.next('pat', 'ada')).toBe(ada);
  expect(first.next('pat', 'ada')).not.toBe(ada);
});

test('an advance is exact although the machine’s clock goes on meanwhile', () => {
  let real = 1000;
  const clock = new Clock(() => (real += 1));
  clock.advance(3_600_000);
  expect(clock.ahead).toBe(3_600_000);
});

/** How many there are, each of them made. */
async function recordingsIn({ control }: PortableMock): Promise<number> {
  const params = { path: { resource: 'recordings' as const }, query: { limit: 100 } };
  return (await control.GET('/state/{resource}', { params })).data.items.length;
}

test('recordings that the build makes ahead are what faker makes of the default seed', () => {
  const answers = defaultAnswers();
  const [method, quality] = [answers['method-values'], answers['quality-values']];
  const words = { method, quality, language: answers['language-values'] };
  const made = Array.from({ length: 24 }, (_, at) => inventRecording(faker, invented.seed, at, words));
  expect(invented.recordings).toEqual(made);
});

test.each<[string, PortableOptions]>([
  ['another seed', { seed: 2 }],
  ['more recordings', { recordings: 60 }],
  ['other words', { profile: { answers: { 'method-values': ['by-phone'] } } }],
])('%s loads faker, and defaults do not; a change of a running world may', async (_name, options) => {
  const mock = await createPortableMock();
  expect(await recordingsIn(mock)).toBe(24);
  expect(mock.worlds.seeds.loadFaker).toThrow('not awaited');
  const other = await createPortableMock(options);
  expect(await recordingsIn(other)).toBe(options.recordings ?? 24);
  expect(other.worlds.seeds.loadFaker).not.toThrow();
  await mock.control.PATCH('/profile', { body: { answers: { 'quality-values': ['best'] } } });
  expect(await recordingsIn(mock)).toBe(24);
});
