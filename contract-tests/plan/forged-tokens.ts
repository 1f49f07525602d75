import { createHmac, randomBytes } from 'node:crypto';
import { partsOfPat } from '../api/token-forms.ts';
import { blocked, untested } from '../errors.ts';
import { isObject, type JsonObject, parseJson } from '../values/json.ts';
import { decodeJwt, isJwe, type Jwt } from '../values/jwt.ts';

export interface ForgedToken {
  what: string;
  /** Only a run with a budget above the default sends it. */
  isRare?: boolean;
  /** Every operation is asked, since each may look at another part of it; else one of them. */
  isEverywhere?: boolean | 'if spare';
  /** Only this operation is asked, by another request than the usual one: a list with filters, an update of nothing. */
  apart?: 'api-keys' | 'recording' | 'second recording';
  token: string;
}

function decoded(token: string, source: string): Jwt {
  const jwt = decodeJwt(token);
  if (jwt) return jwt;
  // Only a token that the target itself issued has to be a JWT (parts 4.1, 5).
  if (source.startsWith('actors.'))
    throw untested(`the token in ${source} is not a JWT; name one there, or a way to sign in`);
  throw blocked('sso-access-token-jwt', `The access token of ${source} is not a JWT`);
}

const encode = (part: JsonObject): string => Buffer.from(JSON.stringify(part)).toString('base64url');

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LOWER = UPPER.toLowerCase();
const DIGITS = '0123456789';
const BASE64URL = `${UPPER + LOWER + DIGITS}-_`;

/**
 * Another character of the same class (upper, lower, digit) for a place of a text. What it makes differs however the text
 * is read: literally, without regard to case (hexadecimal, base32), and as base64url, whose last character may have
 * bits that do not count. Characters that the text has already come first, so that it keeps its alphabet.
 */
export function otherCharacter(text: string, index: number): string {
  const character = text[index] ?? '';
  const alphabet = [UPPER, LOWER, DIGITS].find((letters) => character !== '' && letters.includes(character));
  if (!alphabet) return 'A';
  const unused = index === text.length - 1 ? ([0, 0, 4, 2][text.length % 4] ?? 0) : 0;
  const value = BASE64URL.indexOf(character);
  // Where the bits that do not count are set, the text is no base64url: its alphabet says more than they do.
  const shift = value % 2 ** unused === 0 ? Math.max(unused, 2) : 2;
  const others = [...alphabet].filter((other) => BASE64URL.indexOf(other) >> shift !== value >> shift);
  return others.find((other) => text.includes(other)) ?? others[0] ?? 'A';
}

/** `text` with the character at `index` replaced. */
function replaceAt(text: string, index: number): string {
  return text.slice(0, index) + otherCharacter(text, index) + text.slice(index + 1);
}

/** The same claims as a JWT that somebody else signed, and the same header unless one is given: HS256 needs no more than a key. */
function signedByOthers({ header, parts }: Jwt, key: Buffer | string, own: JsonObject = header): string {
  const isSame = own === header && header.alg === 'HS256';
  const signed = `${isSame ? parts[0] : encode({ ...own, alg: 'HS256' })}.${parts[1]}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}

function decodeHeader(part: string): JsonObject {
  const header = parseJson(Buffer.from(part, 'base64url').toString('utf8'));
  return isObject(header) ? header : {};
}

/** The places of a part at which forgeries differ: a comparison that ends early would not see every one. */
const placesOf = (part: string) => Object.entries({ start: 0, end: part.length - 1 });

/** An encrypted JWT that differs in its authentication tag, and in what is encrypted. */
function tamperedJwes(token: string): ForgedToken[] {
  const parts = token.split('.');
  const withPart = (at: number, part: string): string => parts.with(at, part).join('.');
  const differing = (at: number, name: string): ForgedToken[] => {
    const part = parts[at] ?? '';
    return placesOf(part).map(([where, place]) => ({
      what: `an encrypted JWT whose ${name} differs at its ${where}`,
      token: withPart(at, replaceAt(part, place)),
    }));
  };
  const longer = withPart(0, encode({ ...decodeHeader(parts[0] ?? ''), forged: true }));
  const more = { what: 'an encrypted JWT whose header has one more member', token: longer };
  return [more, ...differing(3, 'ciphertext'), ...differing(4, 'authentication tag')];
}

/** The claims with other words in those that may name a role: who verifies them only in part may trust these. */
const withOtherRoles = (claims: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(claims).map(([name, value]) =>
      /role|group/i.test(name) && typeof value === 'string'
        ? [name, /admin/i.test(value) ? 'member' : 'admin']
        : [name, value],
    ),
  );

/** The token with its claims and its header changed under the old signature, and with its signature changed. */
export function tamperedJwts(token: string, source: string): ForgedToken[] {
  if (isJwe(token)) return tamperedJwes(token);
  const jwt = decoded(token, source);
  const [header, body, signature] = jwt.parts;
  const { kid, ...rest } = jwt.header;
  const unnamed = kid === undefined ? jwt.header : rest;
  const signed = (key: Buffer | string, name: string, isRare = false): ForgedToken => ({
    isRare,
    what: `a JWT with the same claims, signed with HS256 and ${name}`,
    token: signedByOthers(jwt, key),
  });
  const forged: ForgedToken[] = [
    signed(randomBytes(32), 'a key of the suite', true),
    {
      what: 'a JWT with a claim added, and its roles changed, under the old signature',
      token: `${header}.${encode({ ...withOtherRoles(jwt.payload), tampered: true })}.${signature}`,
    },
    {
      // A service that looks a key up by its name may find none, and check nothing.
      what: 'a JWT whose header names another key under the old signature',
      token: `${encode({ ...jwt.header, kid: 'forged' })}.${body}.${signature}`,
      isEverywhere: 'if spare',
    },
    // What is left of a key that is not configured, or not found where none is named, and of one that everybody knows.
    ...(signedByOthers(jwt, '') === token
      ? []
      : [
          {
            what: 'a JWT with the same claims, signed with HS256 and an empty key',
            token: signedByOthers(jwt, '', unnamed),
          },
        ]),
    signed('secret', 'the key "secret"'),
    ...placesOf(signature).map(([where, at]) => ({
      what: `a JWT whose signature differs at its ${where}`,
      token: `${header}.${body}.${replaceAt(signature, at)}`,
      isEverywhere: where === 'end',
    })),
    // A comparison of as many characters as are given, and a reader of three parts.
    {
      what: 'a JWT with half of its signature',
      token: token.slice(0, -Math.ceil(signature.length / 2)),
      isEverywhere: 'if spare',
    },
    {
      what: 'a JWT with the letters of its signature in the other case',
      token: `${header}.${body}.${inOtherCase(signature)}`,
      isRare: true,
    },
  ];
  // Where the target itself signs with one of these keys, the JWT is no other one.
  return forged.filter((each) => each.token !== token);
}

/** The token's claims without a signature: by its own header, and as `alg: none`. */
export function emptiedJwts(token: string, source: string): ForgedToken[] {
  if (isJwe(token)) {
    // Its claims cannot be read, so the unsigned ones are made up: no target may accept unsigned claims.
    const claims = encode({ sub: 'admin', exp: Math.floor(Date.now() / 1000) + 600 });
    return [
      {
        what: 'an encrypted JWT whose authentication tag was removed',
        token: token.slice(0, token.lastIndexOf('.') + 1),
      },
      {
        what: 'a JWT with alg none and an empty signature',
        token: `${encode({ alg: 'none', typ: 'JWT' })}.${claims}.`,
      },
    ];
  }
  const { header, parts } = decoded(token, source);
  return [
    {
      what: 'a JWT with alg none and an empty signature',
      token: `${encode({ ...header, alg: 'none' })}.${parts[1]}.`,
      isEverywhere: true,
    },
    // RFC 7515 has the name in lower case; a list of forbidden names may overlook others.
    { what: 'a JWT with alg nOnE and an empty signature', token: `${encode({ ...header, alg: 'nOnE' })}.${parts[1]}.` },
    { what: 'a JWT whose signature was removed', token: `${parts[0]}.${parts[1]}.` },
    { what: 'a JWT of two parts', token: `${parts[0]}.${parts[1]}` },
  ];
}

/**
 * The PAT with a secret that is wrong at its start and at its end, cut short, left out and too long, with that of another PAT,
 * and with another tokenId.
 */
export function wrongSecretPats(pat: string, other = ''): ForgedToken[] {
  const { head, secret } = partsOfPat(pat) ?? { head: '', secret: pat };
  const half = Math.floor(secret.length / 2);
  const otherSecret = partsOfPat(other)?.secret;
  return [
    { what: 'a PAT whose secret starts with another character', token: head + replaceAt(secret, 0), isRare: true },
    {
      what: 'a PAT whose secret ends with another character',
      token: head + replaceAt(secret, secret.length - 1),
    },
    { what: 'a PAT without its secret', token: head },
    { what: 'a PAT with more characters after its secret', token: `${pat}A1b2` },
    ...(otherSecret === undefined || otherSecret === secret
      ? []
      : [{ what: 'a PAT with the secret of another PAT', token: head + otherSecret }]),
    { what: 'a PAT with the secret of another tokenId', token: withOtherId(head) + secret, isEverywhere: 'if spare' },
    ...(half > 0 ? [{ what: 'a PAT with half of its secret', token: head + secret.slice(0, half) }] : []),
    ...withOtherCase(secret).map((other) => ({
      what: 'a PAT with a letter of its secret in the other case',
      token: head + other,
    })),
    // Who splits it at its dots, or at its last _, may look at no more than it needs.
    { what: 'a PAT with a part more', token: `${pat}.A1b2` },
    { what: 'a PAT with another prefix', token: replaceAt(pat, 0), isRare: true },
  ];
}

/** The secret with one letter in the other case; none where it has one case only, as in hexadecimal or base32. */
function withOtherCase(secret: string): string[] {
  if (!/[a-z]/.test(secret) || !/[A-Z]/.test(secret)) return [];
  const at = secret.search(/[A-Za-z]/);
  return [secret.slice(0, at) + inOtherCase(secret[at] ?? '') + secret.slice(at + 1)];
}

const inOtherCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));

/** `<token_prefix>_<tokenId>.` with another tokenId: it differs in its middle, at no separator that it may hold. */
function withOtherId(head: string): string {
  const from = head.lastIndexOf('_', head.length - 3) + 1;
  const id = head.slice(from, -1);
  const middle = Math.floor(id.length / 2);
  const places = [...id].map((_, place) => place).toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
  const at = places.find((place) => /[A-Za-z0-9]/.test(id[place] ?? '')) ?? 0;
  return `${head.slice(0, from)}${replaceAt(id, at)}.`;
}
