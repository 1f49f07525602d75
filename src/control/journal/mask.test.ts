import fc from 'fast-check';
import { expect, test } from 'vitest';
import { masked, maskedText } from './mask.ts';

// What is masked, said as patterns: right for short texts, and far too slow for long ones.
const tokens = /\beyJ[\w-]+\.[\w-]+\.[\w-]*|\b[A-Za-z][A-Za-z0-9]*_[A-Za-z0-9-]{8,}\.[\w-]{16,}/g;
const secretMembers =
  /("(?:(?:access|refresh|id|api)?_?token|password|passwd|[\w-]*secret[\w-]*|key|authorization|credentials?)"\s*:\s*)"(?:[^"\\]|\\.)*"?/gi;
const byPattern = (text: string): string => text.replace(secretMembers, `$1"${masked}"`).replace(tokens, masked);

const pieces = [
  ...['eyJ', 'eyJhbGciOiJIUzI1NiJ9', 'abcdefgh', 'ABCDEFGHIJKLMNOP', 'pat_abcdefgh12', 'x', '1', 'keyJson', 'pmk'],
  ...['.', '-', '_', ' ', '\n', 'ä', '"', '\\', ':', ' : ', '{', ',', '"token"', '"client_secret"', '"title"'],
  ...['"password":"', '"', '\\"', 'secret', '"key": "'],
];

test('masks what the patterns say, in texts of all their parts', () => {
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (sent) => {
      expect(maskedText(sent)).toBe(byPattern(sent));
    }),
    { numRuns: 20_000 },
  );
});

// By the patterns, most of them would take minutes.
test('the time that masking takes grows with the length, whatever the text', { timeout: 120_000 }, () => {
  const length = 1_000_000;
  const repeated = [
    'eyJ-',
    'eyJ.',
    'a_',
    'a-b_',
    '"secret',
    '"key" ',
    '"key":',
    '\\"',
    '.',
    '-',
    'a_bcdefghi.',
    '"a":"',
  ];
  for (const part of repeated) {
    expect(maskedText(part.repeat(length / part.length)).length).toBeLessThan(2 * length);
  }
});
