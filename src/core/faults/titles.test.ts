import { expect, test } from 'vitest';
import { TestMock } from '../../testing/client.ts';
import { faults } from './index.ts';

const length = 300_000;

// By a pattern such as /<[^>]*>/ it would take minutes.
test('titles of 300,000 characters do not hold a fault up', { timeout: 120_000 }, async () => {
  for (const { id } of faults.filter(({ id }) => id.startsWith('title-'))) {
    await using mock = await TestMock.withoutPort({
      faults: [id],
      profile: { answers: { 'body-size-limit': 10_000_000 } },
    });
    const token = await mock.token();
    // The answers are not the default ones: what validates them is compiled on first use.
    await mock.update({ title: 'x' });
    for (const part of ['<', ' ', '0', '%', '\r']) {
      const json = { title: part.repeat(length / part.length) };
      const { status } = await mock.call('PATCH /v1/echo/recordings/rec_kickoff', { token, json });
      expect(status, `${id}: ${JSON.stringify(part)}`).toBeLessThan(500);
    }
  }
});

test.each([
  ['a<b>c', 'ac'],
  ['a<b<c>d', 'ad'],
  ['<<>>', '>'],
  ['1 < 2', '1 < 2'],
  ['2 > 1', '2 > 1'],
  ['<b>x</b> <', 'x <'],
])('tags are stripped from %j', async (title, stripped) => {
  await using mock = await TestMock.withoutPort({ faults: ['title-tags-stripped'] });
  expect((await mock.update({ title })).body).toMatchObject({ title: stripped });
  expect(title.replaceAll(/<[^>]*>/g, '')).toBe(stripped);
});
