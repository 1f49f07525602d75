import { UUID } from '../values/secret-looks.ts';
import { madeUpId } from './operations.ts';

/** A text with every character percent-encoded, which is the same in a URL (RFC 3986, 6.2.2.2). */
export const percentEncoded = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

export const inOtherCase = (text: string): string =>
  text.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));

const lettered = (id: string): string | undefined => (/^\d+$/.test(id) ? `${id}a` : undefined);

/** Identifiers made of a known one, encoded for a path; undefined where it does not allow that. */
export const IDENTIFIERS = {
  'made-up': () => madeUpId(),
  // What is left of a short one may be another one; a letter is no part of a number.
  cut: (id: string) => (id.length > 4 ? encodeURIComponent(id.slice(0, -1)) : lettered(id)),
  // A shorter number may be the identifier of another recording.
  near: (id: string): string | undefined => lettered(id) ?? IDENTIFIERS.cut(id),
  longer: (id: string) => `${encodeURIComponent(id)}${/^\d+$/.test(id) ? 'a' : '0'}`,
  // Collations ignore the case of other identifiers than UUIDs.
  'other-case': (id: string) => (UUID.test(id) ? id.replace(/[a-z]/i, inOtherCase) : undefined),
  // Others may be checked for their form before anything is looked up.
  'other-uuid': (id: string) => (UUID.test(id) ? madeUpId() : undefined),
  encoded: (id: string) => percentEncoded(id),
  // As no recording has it: its last letter or digit changed.
  unknown: (id: string) =>
    encodeURIComponent(id.replace(/[a-z0-9](?=[^a-z0-9]*$)/i, (last) => (last === '0' ? '1' : '0'))),
};
