import type { Secret } from '../../../contract-tests/secrets/known.ts';
import { finish, type Read, Sieve } from '../../../contract-tests/secrets/sieve.ts';

export const masked = '[masked]';

/** Cost of finding secrets in a text, in bytes of work, and its maximum between two pauses. */
const cost = 12;
const piece = 16_384;

/** Masks secrets in texts: a secret found in one of them is masked in all texts read. It pauses and reports its cost. */
export class Mask {
  readonly #sieve: Sieve;

  /** @param replacement what replaces a secret; default: `[masked]` */
  constructor(replacement: (secret: Secret) => string = ({ isNumber }) => (isNumber ? `"${masked}"` : masked)) {
    this.#sieve = new Sieve({ replacement });
  }

  /** Hides a value from now on. */
  add = (secret: Secret): void => this.#sieve.add(secret);

  /** Reads a text, or the value of a header, whose scheme is kept; nothing is rendered before a whole entry is read. */
  read = (text: string, header?: string): Work<Read> => counted(this.#sieve.read(text, header), text);

  hide = (read: Read): Work<string> => counted(this.#sieve.hide(read), read.text);
}

/** Work that pauses, and reports its cost since the last pause. */
export type Work<T> = Generator<number, T>;

function* counted<T>(work: Generator<void, T>, text: string): Work<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    yield cost * Math.min(text.length, piece);
  }
}

/** A text with its secrets masked. */
export function maskedText(text: string): string {
  const mask = new Mask();
  return finish(mask.hide(finish(mask.read(text))));
}
