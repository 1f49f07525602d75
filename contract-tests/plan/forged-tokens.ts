import { createHmac, randomBytes } from 'node:crypto';
import { inOtherCase } from '../api/identifiers.ts';
import { idIn, partsOfPat } from '../api/token-forms.ts';
import { blocked, CannotAsk } from '../errors.ts';
import { type JsonObject, objectOf } from '../values/json.ts';
import { decodeJwt, decodePart, isJwe, type Jwt } from '../values/jwt.ts';

export interface ForgedToken {
  what: string;
  token: string;
  /** Only in a run with a budget above the default, or at each operation, which may look at another part of it; else at one. */
  asked?: 'rare' | 'everywhere' | 'if spare';
  /** Only this operation is asked, by another request than the usual one: a list with filters, an update of nothing. */
  apart?: 'scopes' | 'api-keys' | 'encoded api-keys' | 'recording' | 'second recording';
}

/** How many bad credentials of one kind a run sends that name an account: more might lock it. */
export const MOST_NAMING = 15;

type Row = readonly [what: string, token: string | undefined, asked?: ForgedToken['asked']];

/** The tokens of a table, but for those that cannot be made. */
export const forgedIn = (...rows: readonly Row[]): ForgedToken[] =>
  rows.flatMap(([what, token, asked]) => (token === undefined ? [] : { what, token, asked }));

function decoded(token: string, source: string): Jwt {
  const jwt = decodeJwt(token);
  if (jwt) return jwt;
  // Only a token that the target itself issued has to be a JWT (parts 4.1, 5).
  if (source.startsWith('actors.'))
    throw new CannotAsk(`the token in ${source} is not a JWT; name one there, or a way to sign in`);
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

function replaceAt(text: string, index: number): string {
  return text.slice(0, index) + otherCharacter(text, index) + text.slice(index + 1);
}

/** The same claims as a JWT that somebody else signed, and the same header unless one is given: HS256 needs no more than a key. */
function signedByOthers({ header, parts }: Jwt, key: Buffer | string, own: JsonObject = header): string {
  const isSame = own === header && header.alg === 'HS256';
  const signed = `${isSame ? parts[0] : encode({ ...own, alg: 'HS256' })}.${parts[1]}`;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}

/** The places of a part at which forgeries differ: a comparison that ends early would not see every one. */
const placesOf = (part: string) => Object.entries({ start: 0, end: part.length - 1 });

/** An encrypted JWT that differs in its authentication tag, and in what is encrypted. */
function tamperedJwes(token: string): ForgedToken[] {
  const parts = token.split('.');
  const withPart = (at: number, part: string): string => parts.with(at, part).join('.');
  const differing = (at: number, name: string): Row[] =>
    placesOf(parts[at] ?? '').map(([where, place]) => [
      `an encrypted JWT whose ${name} differs at its ${where}`,
      withPart(at, replaceAt(parts[at] ?? '', place)),
    ]);
  const longer = encode({ ...objectOf(decodePart(parts[0] ?? '')), forged: true });
  return forgedIn(
    ['an encrypted JWT whose header has one more member', withPart(0, longer)],
    ...differing(3, 'ciphertext'),
    ...differing(4, 'authentication tag'),
  );
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

const SIGNED = 'a JWT with the same claims, signed with HS256 and';

/** The token with its claims and its header changed under the old signature, and with its signature changed. */
export function tamperedJwts(token: string, source: string): ForgedToken[] {
  if (isJwe(token)) return tamperedJwes(token);
  const jwt = decoded(token, source);
  const [header, body, signature] = jwt.parts;
  const { kid, ...rest } = jwt.header;
  const unnamed = kid === undefined ? jwt.header : rest;
  const claims = encode({ ...withOtherRoles(jwt.payload), tampered: true });
  const renamed = encode({ ...jwt.header, kid: 'forged' });
  const forged = forgedIn(
    [`${SIGNED} a key of the suite`, signedByOthers(jwt, randomBytes(32)), 'rare'],
    ['a JWT with a claim added, and its roles changed, under the old signature', `${header}.${claims}.${signature}`],
    // A service that looks a key up by its name may find none, and check nothing.
    ['a JWT whose header names another key under the old signature', `${renamed}.${body}.${signature}`, 'if spare'],
    // What is left of a key that is not configured, or not found where none is named, and of one that everybody knows.
    [`${SIGNED} an empty key`, signedByOthers(jwt, '') === token ? undefined : signedByOthers(jwt, '', unnamed)],
    [`${SIGNED} the key "secret"`, signedByOthers(jwt, 'secret')],
    ['a JWT whose signature differs at its end', `${header}.${body}.${replaceAt(signature, signature.length - 1)}`],
    [
      'a JWT whose signature differs at its start, in the case of a letter',
      `${header}.${body}.${signature.replace(/[a-z]/i, inOtherCase)}`,
    ],
    // A comparison of as many characters as are given, and a reader of three parts.
    ['a JWT with half of its signature', token.slice(0, -Math.ceil(signature.length / 2)), 'if spare'],
  );
  // Where the target itself signs with one of these keys, the JWT is no other one.
  return forged.filter((each) => each.token !== token);
}

/** The token's claims without a signature: by its own header, and as `alg: none`. */
export function emptiedJwts(token: string, source: string): ForgedToken[] {
  const unsigned = 'and an empty signature';
  if (isJwe(token)) {
    // Its claims cannot be read, so the unsigned ones are made up: no target may accept unsigned claims.
    const claims = encode({ sub: 'admin', exp: Math.floor(Date.now() / 1000) + 600 });
    return forgedIn(
      ['an encrypted JWT whose authentication tag was removed', token.slice(0, token.lastIndexOf('.') + 1)],
      [`a JWT with alg none ${unsigned}`, `${encode({ alg: 'none', typ: 'JWT' })}.${claims}.`],
    );
  }
  const { header, parts } = decoded(token, source);
  return forgedIn(
    [`a JWT with alg none ${unsigned}`, `${encode({ ...header, alg: 'none' })}.${parts[1]}.`, 'everywhere'],
    // RFC 7515 has the name in lower case; a list of forbidden names may overlook others.
    [`a JWT with alg nOnE ${unsigned}`, `${encode({ ...header, alg: 'nOnE' })}.${parts[1]}.`],
    ['a JWT whose signature was removed', `${parts[0]}.${parts[1]}.`],
    ['a JWT of two parts', `${parts[0]}.${parts[1]}`],
  );
}

/**
 * The PAT with a secret that is wrong at its start and at its end, cut short, left out and too long, with that of another PAT,
 * of somebody else and of the same user, and with another tokenId.
 */
export function wrongSecretPats(pat: string, other = '', own = ''): ForgedToken[] {
  const { head, secret } = partsOfPat(pat) ?? { head: '', secret: pat };
  const half = secret.slice(0, Math.floor(secret.length / 2));
  const [others, ofUser] = [other, own].map((each) => partsOfPat(each)?.secret);
  const forged = forgedIn(
    ['a PAT whose secret starts with another character', head + replaceAt(secret, 0), 'rare'],
    ['a PAT whose secret ends with another character', head + replaceAt(secret, secret.length - 1)],
    ['a PAT without its secret', head],
    ['a PAT with more characters after its secret', `${pat}A1b2`],
    ['a PAT with the secret of another PAT', others === undefined || others === secret ? undefined : head + others],
    ['a PAT with the secret of another PAT of its user', ofUser && ofUser !== secret ? head + ofUser : undefined],
    ['a PAT with the secret of another tokenId', withOtherId(head) + secret, 'if spare'],
    ['a PAT with half of its secret', half === '' ? undefined : head + half],
    ['a PAT with a letter of its secret in the other case', withOtherCase(head, secret)],
  );
  if (others === undefined || others === secret) return forged;
  const what = 'a PAT of somebody else whose secret ends with another character';
  return [...forged, { what, token: replaceAt(other, other.length - 1), apart: 'scopes', asked: 'everywhere' }];
}

/** With one letter of the secret in the other case; undefined where it has one case only, as in hexadecimal or base32. */
function withOtherCase(head: string, secret: string): string | undefined {
  return /[a-z]/.test(secret) && /[A-Z]/.test(secret) ? head + secret.replace(/[a-z]/i, inOtherCase) : undefined;
}

/** `<token_prefix>_<tokenId>.` with another tokenId: it differs in its middle, at no separator that it may hold. */
function withOtherId(head: string): string {
  const from = idIn(head);
  const id = head.slice(from, -1);
  const middle = Math.floor(id.length / 2);
  const places = [...id].map((_, place) => place).toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
  const at = places.find((place) => /[A-Za-z0-9]/.test(id[place] ?? '')) ?? 0;
  return `${head.slice(0, from)}${replaceAt(id, at)}.`;
}
