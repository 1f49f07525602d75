import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { LAX_FORM_NAMES, LAX_FORMS, spelledIn } from '../api/lax-forms.ts';
import { partsOfPat } from '../api/token-forms.ts';
import { encode } from '../testing/fixtures.ts';
import { decodeJwt } from '../values/jwt.ts';
import { emptiedJwts, otherCharacter, tamperedJwts, wrongSecretPats } from './forged-tokens.ts';

const replaced = (text: string, index: number): string =>
  text.slice(0, index) + otherCharacter(text, index) + text.slice(index + 1);

describe('otherCharacter', () => {
  const texts = {
    hexadecimal: '0123456789abcdef',
    'hexadecimal of another length': '00ff9e81aa34e6c5d7',
    'HEXADECIMAL, upper': '0123456789ABCDEF',
    base32: 'MFRGGZDFMZTWQ2LKNNWG23Q',
    'base64url, 4 bits count at its end': Buffer.from('thirty-two bytes, as HS256 has !').toString('base64url'),
    'base64url, 2 bits count at its end': Buffer.from('a byte more than three').toString('base64url'),
    'base64url, one byte': '-w',
    letters: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
    // Two bits count at its end.
    ...Object.fromEntries([...'AQgw'].map((last) => [`base64url that ends in ${last}`, `abcdefghi${last}`])),
  };

  test.each(Object.entries(texts))('%s: differs without regard to case, and as bytes, in the same class', (_, text) => {
    for (const index of text.length === 2 ? [1] : text.split('').keys()) {
      const other = replaced(text, index);
      const place = `${text} at ${index}: ${other}`;
      expect(other.toLowerCase(), place).not.toBe(text.toLowerCase());
      if (/^[0-9a-f]+$/.test(text)) expect(other, place).toMatch(/^[0-9a-f]+$/);
      if (/[-_]/.test(text[index] ?? '')) continue;
      const sameClass = [/[a-z]/, /[A-Z]/, /\d/].find((letters) => letters.test(text[index] ?? ''));
      expect(otherCharacter(text, index), place).toMatch(sameClass ?? /./);
      const [a, b] = [text, other].map((each) => Buffer.from(each, 'base64url'));
      const isBase64url = a?.toString('base64url') === text;
      if (isBase64url || index < text.length - 1) expect(b, place).not.toEqual(a);
    }
  });
});

describe('tamperedJwts', () => {
  const signed = `${encode({ alg: 'HS256', typ: 'JWT', kid: 'k1' })}.${encode({ sub: '1', exp: 9 })}`;
  const token = `${signed}.${createHmac('sha256', 'key of the target').update(signed).digest('base64url')}`;

  test('one has the same header and claims, and a signature by another key', () => {
    const forged = tamperedJwts(token, 'a test').find(({ what }) => what.includes('key of the suite'));
    const [was, is] = [decodeJwt(token), decodeJwt(forged?.token)];
    expect(is?.header).toEqual(was?.header);
    expect(is?.parts[1]).toBe(was?.parts[1]);
    expect(is?.parts[2]).toHaveLength(43);
    expect(is?.parts[2]).not.toBe(was?.parts[2]);
  });

  test.each(['', 'secret'])('where the target signs with "%s", a token signed with it is not a forgery', (key) => {
    const own = `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
    const all = tamperedJwts(own, 'a test').map((each) => each.token);
    expect(all).not.toContain(own);
    expect(all).toHaveLength(tamperedJwts(token, 'a test').length - 1);
  });

  test('no two are alike, and none is the token itself', () => {
    const all = [token, ...tamperedJwts(token, 'a test').map((each) => each.token)];
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('an encrypted JWT', () => {
  const header = Buffer.from('{"alg":"dir","enc":"A256GCM"}').toString('base64url');
  const token = `${header}..${['iv of a test', 'ciphertext of a test', 'tag of a test'].map((part) => Buffer.from(part).toString('base64url')).join('.')}`;

  test('is tampered with where it protects what is in it', () => {
    const forged = tamperedJwts(token, 'a test').map((each) => each.token);
    expect(new Set([token, ...forged]).size).toBe(6);
    const [first = '', ...others] = forged;
    expect(first.split('.').slice(1)).toEqual(token.split('.').slice(1));
    for (const each of others) expect(each.split('.').slice(0, 3)).toEqual(token.split('.').slice(0, 3));
  });

  test('loses its tag, and its place to a JWT without signature', () => {
    const [untagged, unsigned] = emptiedJwts(token, 'a test').map((each) => each.token);
    expect(token.startsWith(untagged ?? 'none')).toBe(true);
    expect(untagged).toMatch(/\.$/);
    expect(unsigned?.split('.')).toHaveLength(3);
  });
});

test('a token that is not a JWT is untested where it was given, and blocked where the target issued it', () => {
  expect(() => tamperedJwts('opaque', 'actors.admin.accessToken')).toThrow(/actors\.admin\.accessToken is not a JWT/);
  expect(() => emptiedJwts('opaque', 'POST /v1/auth/sso')).toThrow(/see sso-access-token-jwt/);
});

describe('wrongSecretPats', () => {
  test.each([
    'pat_id42.s3cretS3cret',
    'my_pat_a1b2-c3d4.0f0f0f',
    'p_7.xyz',
    'p_550e8400-e29b-41d4-a716-446655440000.abcdef',
    'my.pat_id42.s3cretS3cret',
    'my.pat.v2_id42.s3c.ret_S3c.ret',
  ])('%s', (pat) => {
    const forged = wrongSecretPats(pat);
    expect(new Set([pat, ...forged.map(({ token }) => token)]).size).toBe(forged.length + 1);
    const { head, secret } = partsOfPat(pat) ?? { head: '', secret: '' };
    const longer = forged.find(({ what }) => what.includes('more characters'))?.token;
    expect(longer?.startsWith(pat)).toBe(true);
    const other = forged.find(({ what }) => what.includes('another tokenId'))?.token;
    expect(other?.slice(head.length)).toBe(secret);
    const otherHead = other?.slice(0, head.length);
    expect(otherHead?.replace(/_[^_]*$/, '')).toBe(head.replace(/_[^_]*$/, ''));
    expect(otherHead?.toLowerCase()).not.toBe(head.toLowerCase());
  });
});

test.each<[secret: string, other: string | undefined]>([
  ['s3cretS3cret', 'S3cretS3cret'],
  ['00ff9e81aa34e6c5d7', undefined],
  ['MFRGGZDFMZTWQ2LK', undefined],
])('the letter case of the secret %s is probed where it says something', (secret, other) => {
  const tokens = wrongSecretPats(`echo_42.${secret}`).map(({ token }) => token);
  expect(tokens.filter((token) => token.toLowerCase() === `echo_42.${secret}`.toLowerCase())).toEqual(
    other === undefined ? [] : [`echo_42.${other}`],
  );
});

describe('another spelling of a whole token', () => {
  const signed = `${encode({ alg: 'HS256' })}.${encode({ sub: '1' })}`;
  const jwt = `${signed}.${createHmac('sha256', 'key').update(signed).digest('base64url')}`;
  const pats = ['my.pat_id42.s3cretS3cret', 'pat_a1b2.s3c.ret_S3cret'];
  const read = (header: string | undefined) => spelledIn(header ?? '', (token) => [jwt, ...pats].includes(token), pats);
  const [first, second] = pats as [string, string];

  test.each(LAX_FORM_NAMES)('%s is read in a log', (form) => {
    const { of, write } = LAX_FORMS[form];
    for (const token of of === 'jwt' ? [jwt] : pats) expect(read(write(token))).toEqual({ token, forms: [form] });
  });

  test('several at once are read; a token as it is has none; no forgery is one', () => {
    const forms = ['lower-case-scheme', 'more-blanks', 'pat-without-prefix', 'pat-with-a-part-more'];
    expect(read('bearer  id42.s3cretS3cret.x')).toEqual({ token: first, forms });
    expect(read(`Bearer ${jwt}`)).toEqual({ token: jwt, forms: [] });
    const forged = [...tamperedJwts(jwt, 'x'), ...emptiedJwts(jwt, 'x'), ...wrongSecretPats(first, second)];
    for (const { what, token } of forged) expect(read(`Bearer ${token}`), what).toBeUndefined();
  });
});

test('a PAT of another form is not sent as it is among those that must be refused', () => {
  expect(wrongSecretPats('opaque-1').map(({ token }) => token)).not.toContain('opaque-1');
});
