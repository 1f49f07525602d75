import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { base64urlnopad, hex } from '@scure/base';

// Digests and encodings that are synchronous and identical in Node and in a browser.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const utf8 = (text: string): Uint8Array => encoder.encode(text);

export const utf8Text = (bytes: Uint8Array): string => decoder.decode(bytes);

export const sha256Hex = (text: string): string => hex.encode(sha256(utf8(text)));

/** The first 32 bits of a text's SHA-256, as a number. */
export const sha256Number = (text: string): number => new DataView(sha256(utf8(text)).buffer).getUint32(0);

export const hmacHex = (key: string, text: string): string => hex.encode(hmac(sha256, utf8(key), utf8(text)));

export const hmacBase64url = (key: string, text: string): string =>
  base64urlnopad.encode(hmac(sha256, utf8(key), utf8(text)));

export const toBase64url = (text: string): string => base64urlnopad.encode(utf8(text));

/** The text that was encoded in base64url; `undefined` if `encoded` is not base64url. */
export function fromBase64url(encoded: string): string | undefined {
  try {
    return utf8Text(base64urlnopad.decode(encoded));
  } catch {
    return undefined;
  }
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** The one spelling in base64url of what a text spells in base64: with - and _, and without bits that do not count. */
export function plainBase64url(text: string): string {
  const plain = text.replaceAll('+', '-').replaceAll('/', '_');
  const unused = [0, 0, 4, 2][plain.length % 4] ?? 0;
  const last = ALPHABET.indexOf(plain.slice(-1));
  return plain === '' || last < 0 ? plain : plain.slice(0, -1) + ALPHABET[(last >> unused) << unused];
}

/** 128 random bits. `randomUUID()` is missing in pages that are neither local nor served over HTTPS. */
export const randomText = (): string => hex.encode(crypto.getRandomValues(new Uint8Array(16)));

/** Compares in constant time texts of equal length. */
export function equalInConstantTime(left: string, right: string): boolean {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (let at = 0; at < left.length; at += 1) difference |= left.charCodeAt(at) ^ right.charCodeAt(at);
  return difference === 0;
}
