import { Redactor } from '../../../contract-tests/wire/redactor.ts';
import { finish } from '../../../contract-tests/wire/scrub.ts';

/** Replaces a secret. */
export const masked = '[masked]';

/** Masks secrets in texts: what one of them shows to be secret is masked in all that have been read. */
export class Mask {
  readonly #redactor = new Redactor(({ isNumber }) => (isNumber ? `"${masked}"` : masked));

  /** @returns a function that gives the text without secrets */
  read(text: string): () => string {
    const read = finish(this.#redactor.read(text));
    return () => finish(this.#redactor.hide(read));
  }

  /** The same of a header's value; the authentication scheme is kept. */
  readHeader(name: string, value: string): () => string {
    const read = finish(this.#redactor.readHeader(name, value));
    return () => finish(this.#redactor.hide(read));
  }
}

/** A text without what it shows to be secret. */
export const maskedText = (text: string): string => new Mask().read(text)();
