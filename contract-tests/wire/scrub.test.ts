import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scrubber } from './scrub.ts';

const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8');
const units = (text: string, write: (unit: number) => string): string =>
  Array.from({ length: text.length }, (_, at) => write(text.charCodeAt(at))).join('');
const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
const json = (text: string): string => JSON.stringify(text).slice(1, -1);
const entities = (text: string): string =>
  text.replace(
    /[&<>"']/g,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[sign] ?? '',
  );

/** How servers, and those in front of them, write a text down. */
const SPELLINGS: Record<string, (text: string) => string> = {
  plain: (text) => text,
  'JSON of JavaScript': json,
  'JSON of Go': (text) => json(text).replace(/[<>&]/g, (sign) => `\\u${hex(sign.charCodeAt(0), 4)}`),
  'JSON of PHP': (text) =>
    json(text)
      .replaceAll('/', '\\/')
      .replace(/[^ -~]/g, (sign) => units(sign, (unit) => `\\u${hex(unit, 4)}`)),
  '\\uXXXX throughout': (text) => units(text, (unit) => `\\u${hex(unit, 4)}`),
  '\\xXX throughout': (text) => [...utf8(text)].map((byte) => `\\x${hex(byte, 2)}`).join(''),
  'JSON in JSON': (text) => json(json(text)),
  'JSON in JSON in JSON': (text) => json(json(json(text))),
  'HTML entities': entities,
  'decimal entities throughout': (text) => [...text].map((sign) => `&#${sign.codePointAt(0)};`).join(''),
  'hexadecimal entities throughout': (text) =>
    [...text].map((sign) => `&#x${sign.codePointAt(0)?.toString(16)};`).join(''),
  'entities in entities': (text) => entities(entities(text)),
  'percent codes': encodeURIComponent,
  'lower-case percent codes': (text) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  'percent codes throughout': (text) => [...utf8(text)].map((byte) => `%${hex(byte, 2)}`).join(''),
  'double percent codes': (text) => encodeURIComponent(encodeURIComponent(text)),
  'a form': (text) => new URLSearchParams({ a: text }).toString().slice(2),
  base64: (text) => utf8(text).toString('base64'),
  base64url: (text) => utf8(text).toString('base64url'),
  'base64 with a user name': (text) => Buffer.concat([utf8('ada:'), utf8(text)]).toString('base64'),
  'base64 in lines': (text) => utf8(text).toString('base64').replace(/.{12}/g, '$&\r\n'),
  'double base64': (text) => utf8(utf8(text).toString('base64')).toString('base64'),
  'base64 of its JSON': (text) => utf8(JSON.stringify({ p: text })).toString('base64'),
  hexadecimal: (text) => utf8(text).toString('hex'),
  'upper-case hexadecimal': (text) => utf8(text).toString('hex').toUpperCase(),
  'base64 of hexadecimal': (text) => utf8(utf8(text).toString('hex')).toString('base64'),
  reversed: (text) => [...text].reverse().join(''),
  'reversed, as JSON': (text) => json([...text].reverse().join('')),
  'lower case': (text) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
};

/** What it stands in. */
const PLACES: [before: string, after: string][] = [
  ['', ''],
  ['before ', ' after'],
  ['{"password":"', '"}'],
  ['x-', ''],
  ['<p title="', '">'],
  ['at C:\\', ', 100%'],
  ['YWJj', 'ZGVm'],
];

const letters = 'ABCDEFGHJKMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789';
const signs = `${letters}${'-_.~!#$%&()*/:;<=>?@[]^{|}+\\"\' '}üß§€😀`;
const secretOf = (alphabet: string, minLength: number) =>
  fc.array(fc.constantFrom(...alphabet), { minLength, maxLength: 48 }).map((signs) => signs.join(''));
const secrets = fc.oneof(secretOf(letters, 10), secretOf(signs, 12), secretOf('0123456789', 12));

/** The longest run of a text that is left in another one. */
function longestRun(of: string, left: string): number {
  let longest = 0;
  for (let from = 0; from < of.length; from += 1)
    while (left.includes(of.slice(from, from + longest + 1)) && from + longest < of.length) longest += 1;
  return longest;
}

test('no run of a secret stays, in whatever spelling it is echoed', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(
      secrets,
      fc.constantFrom(...Object.entries(SPELLINGS)),
      fc.constantFrom(...PLACES),
      fc.nat(3),
      fc.nat(3),
      (secret, [, spell], [before, after], cutBefore, cutAfter) => {
        const part = [...secret].slice(cutBefore, [...secret].length - cutAfter).join('');
        fc.pre([...part].length >= 8);
        const spelled = spell(part);
        const clean = scrubber([{ value: secret, name: '‹N›' }])(before + spelled + after);
        // Digits that also hold bits of the neighbours may stay, as may quotes and white space at the ends.
        expect(clean).toContain('‹N›');
        expect(longestRun(spelled, clean.replaceAll('‹‹N››', '\u0000'))).toBeLessThan(8 + spell('').length);
      },
    ),
    { numRuns: 2000, seed: 12 },
  );
});

describe('what is not a secret stays', () => {
  const scrub = scrubber([
    { value: 'Correct-Horse-42', name: 'password' },
    { value: 'admin@example.test', name: 'e-mail', isIdentity: true },
    { value: 'q7x', name: 'pin' },
  ]);
  test.each([
    ['shorter runs of it', 'a Correct answer of a Horse'],
    ['the host of an address', 'https://api.example.test/v1'],
    ['three characters inside of a word', 'aq7xb'],
  ])('%s', (_name, text) => expect(scrub(text)).toBe(text));

  test.each([
    ['the start of an identity', 'user admin@example: unknown', 'user ‹e-mail›: unknown'],
    ['three characters that stand alone', '{"pin":"q7x"}', '{"pin":"‹pin›"}'],
    ['in another letter case, as header names are', 'x-correct-horse-42-id: 1', 'x-‹password›-id: 1'],
  ])('but %s is redacted', (_name, text, clean) => expect(scrub(text)).toBe(clean));
});

test('redacting again changes nothing, even where the name holds a secret', () => {
  const scrub = scrubber([
    { value: 'Correct-Horse-42', name: 'header Correct-Horse' },
    { value: 'q7x', name: 'q7x' },
  ]);
  const clean = scrub('Correct-Horse-42 and q7x');
  expect(clean).toBe('‹secret› and ‹secret›');
  expect(scrub(clean)).toBe(clean);
});

describe('the work is linear', () => {
  const megabyte = 1_000_000;
  const secret = 'a1b2c3d4'.repeat(megabyte / 8);
  test.each<[name: string, secrets: string[], text: string]>([
    ['an access token of a megabyte that repeats itself', [secret], secret.slice(5, 150_000)],
    [
      'twenty of them',
      Array.from({ length: 20 }, (_, at) => secret.replaceAll('d', String(at))),
      secret.slice(0, 50_000),
    ],
    [
      'ten thousand secrets',
      Array.from({ length: 10_000 }, (_, at) => `secret-${at}-${at * 7919}`),
      'secret-1-'.repeat(5000),
    ],
    ['one letter throughout', ['a'.repeat(10_000)], 'a'.repeat(100_000)],
    ['backslashes throughout', ['Correct-Horse-42'], '\\'.repeat(200_000)],
    ['ampersands throughout', ['Correct-Horse-42'], '&'.repeat(200_000)],
  ])('%s', (_name, values, text) => {
    const started = performance.now();
    const scrub = scrubber(values.map((value) => ({ value, name: 'N' })));
    scrub(text);
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});
