import { beforeAll, expect, test } from 'vitest';
import { TestMock } from '../../testing/client.ts';
import { tour } from '../../testing/fault-tour.ts';
import { checkFaultIds, type Fault, families, faults } from './index.ts';

const time = Date.parse('2026-11-20T10:00:00Z');

/** The responses of a mock with these faults, and its state afterwards. */
async function tourWith(ids: readonly string[], family?: string, also?: Fault['shownBy']) {
  await using mock = await TestMock.withoutPort({ faults: ids });
  mock.world.clock.freeze(time);
  const seen = await tour(mock, family, also);
  const info = await mock.call('GET /_mock/info');
  return { seen, hits: ids.map((id) => mock.world.faultHits.get(id) ?? 0), own: mock.world.ownViolations, info };
}

const faithful = new Map<string, readonly string[]>();
beforeAll(async () => {
  for (const family of families) faithful.set(family, (await tourWith([], family)).seen);
});

/** Tested in environment.test.ts, since they need many requests or time, or below. */
const onTheWire = ['chunked', 'json-byte-order-mark'];
const testedSeparately = ['limited', 'limited-until', 'busy', 'slow', ...onTheWire];
const visible = faults.filter(({ id, family }) => family !== 'environment' && !testedSeparately.includes(id));

test('the tour is reproducible without faults', async () => {
  expect((await tourWith([], 'variation')).seen).toEqual(faithful.get('variation'));
});

test.each(onTheWire)('%s is visible on the wire only, by the length of the body', async (id) => {
  const lengthWith = async (faults: string[]) => {
    await using mock = await TestMock.start({ faults });
    return (await mock.sso()).headers.get('content-length');
  };
  expect(await lengthWith([id])).not.toBe(await lengthWith([]));
});

test.each(visible)('$id has a visible effect and no side effects', async ({ id, family, shownBy }) => {
  const { seen, hits, own, info } = await tourWith([id], family, shownBy);
  expect(hits[0]).toBeGreaterThan(0);
  expect(own).toBe(0);
  expect(info.status).toBe(200);
  expect(seen).not.toEqual(shownBy === undefined ? faithful.get(family) : (await tourWith([], family, shownBy)).seen);
});

test('several faults are combined', async () => {
  await using mock = await TestMock.withoutPort({
    faults: ['sso-token-type-capital', 'sso-expires-in-text', 'members-reversed'],
  });
  const { body } = await mock.sso();
  expect(body).toMatchObject({ token_type: 'Bearer', expires_in: '3600' });
  expect(Object.keys(body as object).at(-1)).toBe('access_token');
});

test('an unknown fault is refused with suggestions, not with the whole list', () => {
  const all = `\`platform-mock faults\` or GET /_mock/faults lists all ${faults.length}`;
  const refusal = (...ids: string[]) => {
    try {
      checkFaultIds(ids);
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(refusal('nonsense')).toBe(`there is no fault nonsense; ${all}`);
  expect(refusal('sso-token-type-captial')).toContain(`${all}; did you mean sso-token-type-capital`);
  expect(refusal('title-truncated', 'a', 'b', 'c', 'd', 'e', 'f', 'g')).toBe(
    `there is no fault a, b, c, d, e and 2 more; ${all}`,
  );
});
