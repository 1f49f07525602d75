import { faker } from '@faker-js/faker/locale/en';
import { describe, expect, test } from 'vitest';
import { medianTimes } from '../../testing/median-times.ts';
import { Answers } from '../profiles/answers.ts';
import type { GapAnswers } from '../spec/gaps.ts';
import { Clock } from './clock.ts';
import { shippedFixtures } from './fixtures.ts';
import { Ids } from './ids.ts';
import { personasOf } from './personas.ts';
import { buildSeedLayer } from './seed.ts';
import { storeImageFrom } from './state.ts';
import { World } from './world.ts';

async function newWorld({
  seed = 1,
  recordings,
  answers = {},
}: {
  seed?: number;
  recordings?: number;
  answers?: Partial<GapAnswers>;
} = {}) {
  const inForce = Answers.of(answers);
  const seedLayer = buildSeedLayer({
    seed,
    fixtures: shippedFixtures(),
    answers: inForce,
    recordings,
    loadFaker: () => faker,
  });
  return new World({ seed, answers: inForce, seedLayer });
}

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

  test('follows the vocabularies of the profile by position', async () => {
    const world = await newWorld({
      answers: {
        'provider-values': ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
        'key-status-values': ['on', 'off'],
        'method-values': ['phone'],
      },
    });
    const keys = [...world.store.apiKeys.all()];
    expect(keys.slice(0, 4).map(({ provider, status }) => [provider, status])).toEqual([
      ['a', 'on'],
      ['a', 'off'],
      ['b', 'on'],
      ['c', 'on'],
    ]);
    expect(new Set(recordingsOf(world).map((recording) => recording.method))).toEqual(new Set(['phone']));
  });

  test('of 100,000 recordings is built once, and a world on it is O(1)', async () => {
    const [few, many] = [await newWorld({ recordings: 100 }), await newWorld({ recordings: 100_000 })];
    const cost = medianTimes(
      [few, many].map(
        ({ origin }) =>
          () =>
            new World(origin).reset(),
      ),
    );
    expect(cost[1]).toBeLessThan(100 * Math.max(cost[0] ?? 0, 0.005));
    expect(many.store.recordings.size).toBe(100_000);
  });
});

describe('the store', () => {
  test('isolates changes, and reverts them on reset', async () => {
    const world = await newWorld();
    const other = new World(world.origin);
    const before = world.store.recordings.get('rec_kickoff');
    if (!before) throw new Error('no such fixture');
    world.store.recordings.put({ ...before, title: 'changed' });
    expect(world.store.recordings.get('rec_kickoff')?.title).toBe('changed');
    expect(other.store.recordings.get('rec_kickoff')).toBe(before);
    world.reset();
    expect(world.store.recordings.get('rec_kickoff')).toBe(before);
  });

  test('updates its indexes on changes', async () => {
    const { store } = await newWorld();
    const ids = () => store.apiKeys.lookup('tenant', 'ten_flowmatic').map((key) => key.id);
    const [key] = store.apiKeys.lookup('tenant', 'ten_analytical');
    if (!key) throw new Error('no such fixture');
    store.apiKeys.put({ ...key, tenant: 'ten_flowmatic' });
    expect(ids()).toEqual(['key_b1', 'key_b2', 'key_a1']);
    store.apiKeys.delete('key_b1');
    expect(ids()).toEqual(['key_b2', 'key_a1']);
    expect(store.apiKeys.size).toBe(shippedFixtures().api_keys.length - 1);
    store.apiKeys.reset();
    expect(ids()).toEqual(['key_b1', 'key_b2']);
  });

  test('can be restored from JSON over the seed', async () => {
    const world = await newWorld();
    const before = world.store.recordings.get('rec_kickoff');
    if (!before) throw new Error('no such fixture');
    world.store.recordings.put({ ...before, title: 'changed' });
    world.store.apiKeys.delete('key_a1');
    const written = JSON.parse(JSON.stringify(world));
    const copy = new World({ ...world.origin, store: storeImageFrom(written, world.origin.seedLayer) });
    expect(copy.store.recordings.get('rec_kickoff')?.title).toBe('changed');
    expect(copy.store.apiKeys.get('key_a1')).toBeUndefined();
    expect(copy.toJSON().changes).toEqual(world.toJSON().changes);
  });
});

test('ids do not depend on the order of unrelated requests', () => {
  const [first, second] = [new Ids(1), new Ids(1)];
  const ada = first.next('pat', 'ada');
  first.next('pat', 'grace');
  second.next('pat', 'grace');
  expect(second.next('pat', 'ada')).toBe(ada);
  expect(first.next('pat', 'ada')).not.toBe(ada);
});

test('the clock can be frozen, advanced and resumed', () => {
  let real = 1000;
  const clock = new Clock(() => real);
  clock.freeze();
  real = 5000;
  expect(clock.now()).toBe(1000);
  clock.advance(500);
  expect(clock.now()).toBe(1500);
  clock.resume();
  real = 5100;
  expect(clock.now()).toBe(1600);
  clock.set(0);
  expect(clock.nowIso()).toBe('1970-01-01T00:00:00.000Z');
});

test('an advance is exact although the machine’s clock goes on meanwhile', () => {
  let real = 1000;
  const clock = new Clock(() => (real += 1));
  clock.advance(3_600_000);
  expect(clock.ahead).toBe(3_600_000);
});

test('the personas are chosen by the order of the fixtures', async () => {
  const { admin, member, recording, otherTenant } = personasOf(await newWorld());
  expect([admin?.id, member?.id, recording?.id, otherTenant?.id]).toEqual([
    'usr_ada',
    'usr_charles',
    'rec_kickoff',
    'ten_flowmatic',
  ]);
});
