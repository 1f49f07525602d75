/** Secrets as servers, and those in front of them, write them down: for properties of what is redacted. */
import fc from 'fast-check';

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
export const SPELLINGS: Record<string, (text: string) => string> = {
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
export const secrets = fc.oneof(secretOf(letters, 10), secretOf(signs, 12), secretOf('0123456789', 12));

/** Echoed secrets: up to three characters cut at either end, spelled, in a place. `extra`: length of the spelling of an empty text. */
export const spelledSecrets = fc
  .tuple(secrets, fc.constantFrom(...Object.entries(SPELLINGS)), fc.constantFrom(...PLACES), fc.nat(3), fc.nat(3))
  .map(([secret, [, spell], [before, after], cutBefore, cutAfter]) => {
    const part = [...secret].slice(cutBefore, [...secret].length - cutAfter).join('');
    const spelled = spell(part);
    return { secret, part, spelled, extra: spell('').length, text: before + spelled + after };
  })
  .filter(({ part }) => [...part].length >= 8);
