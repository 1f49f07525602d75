import { expect, test } from 'vitest';
import { TestMock } from '../../testing/client.ts';

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
