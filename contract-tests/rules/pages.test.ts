import { describe, expect, test } from 'vitest';
import { answerOf, entryOf } from '../testing/fixtures.ts';
import { isPaged, mayBePage } from './pages.ts';

const keys = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `k${index}` }));

describe('isPaged', () => {
  test.each<[headers: Record<string, string>, status?: number]>([
    [{ link: '<https://host.test/v1?page=2>; rel="next"' }],
    [{ link: '</v1?page=1>; rel=first, </v1?page=2>; rel=next' }],
    [{ 'content-range': 'items 0-1/7' }],
    [{ 'content-range': 'items 0-1/*' }],
    [{}, 206],
    [{ 'x-total-count': '7' }],
    [{ 'x-total': '7' }],
    [{ 'x-next-page': '2' }],
    [{ 'x-has-more': 'true' }],
    [{ 'x-pagination': '{"page":1}' }],
    [{ 'x-next-cursor': 'abc' }],
  ])('%j says that there is more', (headers, status) => {
    expect(isPaged(entryOf({ answer: answerOf([], { headers, ...(status ? { status } : {}) }) }), keys(2))).toBe(true);
  });

  test.each<[headers: Record<string, string>, status?: number]>([
    [{}],
    [{ link: '</v1/docs>; rel="help"' }],
    [{ 'x-total-count': '2' }],
    [{ 'x-total-count': '2', 'x-page': '1' }],
    [{ 'content-range': 'items 0-1/2' }],
    [{ 'content-range': 'items 0-1/2' }, 206],
    [{ 'x-next-page': '' }],
    [{ 'x-has-more': 'false' }],
    [{ 'x-cursor': 'no' }],
    [{ 'x-request-id': 'page' }],
  ])('%j does not', (headers, status) => {
    expect(isPaged(entryOf({ answer: answerOf([], { headers, ...(status ? { status } : {}) }) }), keys(2))).toBe(false);
  });
});

describe('mayBePage', () => {
  test.each([10, 20])('a list of %i, of which filters list what it does not have at all', (size) => {
    expect(mayBePage(keys(size), [`k${size}`, `k${size + 1}`], [keys(3), keys(size)])).toBe(true);
  });

  test('not one of another size', () => {
    expect(mayBePage(keys(5), ['k5'], [])).toBe(false);
    expect(mayBePage(keys(19), ['k20'], [])).toBe(false);
  });

  test('not one that a filtered list goes beyond, since then that is not the size of pages', () => {
    expect(mayBePage(keys(10), ['k10'], [keys(11)])).toBe(false);
  });

  test('not one whose own API keys filters list too often', () => {
    expect(mayBePage(keys(20), ['k3', 'k20'], [])).toBe(false);
  });

  test('not one of which filters list nothing else', () => {
    expect(mayBePage(keys(20), [], [])).toBe(false);
  });
});
