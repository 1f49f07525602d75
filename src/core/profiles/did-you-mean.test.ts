import { expect, test } from 'vitest';
import { nearest } from './did-you-mean.ts';

const words = 'AUT-01 AUT-08 answers name port profile error-body error-codes sso-token-type-capitalised';
const known = words.split(' ');

test.each([
  ['a letter left out', 'answer', ['answers']],
  ['neighbours swapped', 'prot', ['port']],
  ['other capitals', 'Profile', ['profile']],
  ['the same words', 'token-type-capital', ['sso-token-type-capitalised']],
  ['a word in the plural', 'error-bodies', ['error-codes', 'error-body']],
  ['a digit left out', 'aut-8', ['AUT-08', 'AUT-01']],
  ['unlike every known name', 'zzz', []],
  ['an empty name', '', []],
])('%s: %j', (_what, written, expected) => {
  expect(nearest(written, known, 3)).toEqual(expected);
});

test('only the beginning of a long name is compared', () => {
  const longName = 'a'.repeat(60);
  expect(nearest('a'.repeat(100_000), [longName], 3)).toEqual([longName]);
});
