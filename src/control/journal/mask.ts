import { finish } from '../../../contract-tests/secrets/known.ts';
import { type Read, Redactor } from '../../../contract-tests/secrets/redactor.ts';

/** Replaces a secret. */
export const masked = '[masked]';

/** What finding secrets in a text costs, in bytes that are written, and of how much of it at most between two pauses. */
const cost = 12;
const piece = 16_384;

/** Masks secrets in texts: what one of them shows to be secret is masked in all that have been read. It pauses with what it has cost. */
export class Mask {
  readonly #redactor = new Redactor(({ isNumber }) => (isNumber ? `"${masked}"` : masked));

  /** Reads a text; nothing is shown before all of an entry is read. */
  read = (text: string): Work<Read> => counted(this.#redactor.read(text), text);

  /** The same of a header's value; the authentication scheme is kept. */
  readHeader = (name: string, value: string): Work<Read> => counted(this.#redactor.readHeader(name, value), value);

  /** The text without secrets. */
  hide = (read: Read): Work<string> => counted(this.#redactor.hide(read), read.text);
}

/** Work that pauses, and says what it has cost since it did. */
export type Work<T> = Generator<number, T>;

function* counted<T>(work: Generator<void, T>, text: string): Work<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    yield cost * Math.min(text.length, piece);
  }
}

/** A text without what it shows to be secret. */
export function maskedText(text: string): string {
  const mask = new Mask();
  return finish(mask.hide(finish(mask.read(text))));
}
