import { expect, test } from 'vitest';
import type { Entry } from '../log/entry.ts';
import { answerOf } from '../testing/fixtures.ts';
import { smallLog } from '../testing/small-log.ts';
import { isPaged, mayBePage } from './keys.ts';
import { allRules } from './rules.ts';

const keys = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `k${index}` }));
const [entry] = smallLog('admin keys').entries.slice(-1) as [Entry];
const list = (count: number) => ({ entry, query: {}, keys: keys(count) });

test.each<[isMore: boolean, headers: Record<string, string>, status?: number]>([
  [true, { link: '<https://host.test/v1?page=2>; rel="next"' }],
  [true, { link: '</v1?page=1>; rel=first, </v1?page=2>; rel=next' }],
  [true, { 'content-range': 'items 0-1/7' }],
  [true, {}, 206],
  [true, { 'x-total-count': '7' }],
  [true, { 'x-total': '7' }],
  [true, { 'x-next-page': '2' }],
  [true, { 'x-has-more': 'true' }],
  [true, { 'x-pagination': '{"page":1}' }],
  [true, { 'x-next-cursor': 'abc' }],
  [false, {}],
  [false, { link: '</v1/docs>; rel="help"' }],
  [false, { 'x-total-count': '2' }],
  [false, { 'content-range': 'items 0-1/2' }, 206],
  [false, { 'x-next-page': '' }],
  [false, { 'x-has-more': 'false' }],
  [false, { 'x-cursor': 'no' }],
])('that there is more, %s, is said by %j', (isMore, headers, status = 200) =>
  expect(isPaged({ ...list(2), entry: { ...entry, answer: answerOf([], { headers, status }) } })).toBe(isMore),
);

test.each([
  [false, 'application/xml'],
  [true, 'text/html, */*;q=0.8'],
  [true, 'application/*'],
])('that a list is refused is a violation, %s, where the client accepts %s', (expected, accept) => {
  const log = smallLog('admin keys; admin keys -> 406');
  const { answer } = log.entries.at(-1) as Entry;
  answer.request.headers.Accept = accept;
  const judged = allRules.find(({ id }) => id === 'keys-list')?.judge(log) ?? [];
  expect([...judged].some(({ state }) => state === 'violated')).toBe(expected);
});

test.each([
  [true, 'of which filters list what it does not have at all', 20, ['k20', 'k21'], [list(3), list(20)]],
  [false, 'of a size next to a usual one', 19, ['k20'], []],
  [false, 'that a filtered list goes beyond, since then that is not the size of pages', 10, ['k10'], [list(11)]],
  [false, 'whose own API keys filters list too often', 20, ['k3', 'k20'], []],
  [false, 'of which filters list nothing else', 20, [], []],
])('that it may be a page is %s of a list %s', (expected, _, size, more, filtered) =>
  expect(mayBePage(keys(size), more, filtered)).toBe(expected),
);
