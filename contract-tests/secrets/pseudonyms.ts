import { createHmac, randomBytes } from 'node:crypto';
import { setImmediate as next } from 'node:timers/promises';
import type { Exchange } from '../model.ts';
import type { Secret } from './known.ts';
import { claimsIn, pseudonymizer } from './pseudonym.ts';
import { isPublicWord, listedSecrets } from './secrets.ts';
import { finish, mapTexts, type Read, Sieve } from './sieve.ts';

const hmacHex = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('hex');

/** What a recording with this salt has in the place of an oid. */
export const pseudonymOfOid = (oid: string, salt: string): string =>
  pseudonymizer('', salt, hmacHex)({ value: oid, name: 'oid', isWhole: true });

type Traffic = Exchange & { statusText?: string };

/** Replaces each secret of recorded exchanges by one pseudonym; without the key, which is kept nowhere, nothing leads back. */
export class Pseudonyms {
  /** By which an oid that is known, and no other secret, leads to its pseudonym. */
  readonly salt = randomBytes(16).toString('hex');
  readonly #sieve = new Sieve({
    replacement: pseudonymizer(randomBytes(32).toString('hex'), this.salt, hmacHex),
    isPublic: isPublicWord,
  });

  /** The exchange with every secret replaced: all of it is read first, since an answer may tell what the request sent. */
  async hide<E extends Traffic>(exchange: E): Promise<E> {
    for (const secret of listedSecrets(exchange)) this.#sieve.remember(secret);
    for (const claim of claimsIn(exchange.request)) this.#sieve.add(claim);
    const texts: [text: string, header?: string][] = [];
    mapTexts(exchange, (...text) => {
      texts.push(text);
      return '';
    });
    const reads: Read[] = [];
    for (const [text, header] of texts) reads.push(await inTurns(this.#sieve.read(text, header)));
    const hidden: string[] = [];
    for (const read of reads) hidden.push(await inTurns(this.#sieve.hide(read)));
    return mapTexts(exchange, () => hidden.shift() ?? '');
  }

  /** A text with the same pseudonyms, those of `secrets` among them. */
  hideText(text: string, secrets: readonly Secret[]): string {
    for (const secret of secrets) this.#sieve.add(secret);
    return finish(this.#sieve.hide(finish(this.#sieve.read(text))));
  }
}

async function inTurns<T>(work: Generator<void, T>): Promise<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    await next();
  }
}
