import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { spelledSecrets } from '../testing/spelled.ts';
import type { Secret } from './known.ts';
import { Sieve } from './sieve.ts';

const scrubber = (secrets: Secret[]) => {
  const sieve = new Sieve({ replacement: ({ name }) => `‹${name}›`, mostKnown: 100_000 });
  for (const secret of secrets) sieve.add(secret);
  return sieve.scrub;
};

/** The longest run of a text that is left in another one. */
function longestRun(of: string, left: string): number {
  let longest = 0;
  for (let from = 0; from < of.length; from += 1)
    while (left.includes(of.slice(from, from + longest + 1)) && from + longest < of.length) longest += 1;
  return longest;
}

test('no run of a secret stays, in any spelling that echoes it', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(spelledSecrets, ({ secret, spelled, extra, text }) => {
      const clean = scrubber([{ value: secret, name: '‹N›' }])(text);
      // Digits that also hold bits of the neighbours may stay, as may quotes and white space at the ends.
      expect(clean).toContain('‹N›');
      expect(longestRun(spelled, clean.replaceAll('‹‹N››', '\u0000'))).toBeLessThan(8 + extra);
    }),
    { numRuns: 2000, seed: 12 },
  );
});

test.each([
  ['shorter runs of it', 'a Correct answer of a Horse', 'stay'],
  ['the host of an address', 'https://api.example.test/v1', 'stay'],
  ['in another letter case, as header names are', 'x-correct-horse-42-id: 1', 'x-‹password›-id: 1'],
])('of a secret, %s: %s becomes %s', (_what, text, clean) => {
  const scrub = scrubber([{ value: 'Correct-Horse-42', name: 'password' }]);
  expect(scrub(text)).toBe(clean === 'stay' ? text : clean);
});

test('a word that several passwords share in parts stays', () => {
  const passwords = ['ada-password', 'grace-password'].map((value) => ({ value, name: 'password' }));
  expect(scrubber(passwords)('username-password')).toBe('username-password');
});

// Otherwise it would take hours.
describe('the work is linear', { timeout: 120_000 }, () => {
  const megabyte = 1_000_000;
  const secret = 'a1b2c3d4'.repeat(megabyte / 8);
  test.each<[name: string, secrets: string[], text: string]>([
    ['an access token of a megabyte that repeats itself', [secret], secret.slice(5, 150_000)],
    ['twenty', Array.from({ length: 20 }, (_, at) => secret.replaceAll('d', String(at))), secret.slice(0, 50_000)],
    ['10,000', Array.from({ length: 10_000 }, (_, at) => `secret-${at}-${at * 7919}`), 'secret-1-'.repeat(5000)],
    ['one letter throughout', ['a'.repeat(10_000)], 'a'.repeat(100_000)],
    ['backslashes throughout', ['Correct-Horse-42'], '\\'.repeat(200_000)],
    ['ampersands throughout', ['Correct-Horse-42'], '&'.repeat(200_000)],
  ])('%s', (_name, values, text) => {
    const clean = scrubber(values.map((value) => ({ value, name: 'N' })))(text);
    expect(values.filter((value) => clean.includes(value))).toEqual([]);
  });
});
