import { createHmac, randomBytes } from 'node:crypto';
import { setImmediate as next } from 'node:timers/promises';
import type { Exchange } from '../model.ts';
import { mapJson } from '../values/json.ts';
import { pseudonymOf } from './pseudonym.ts';
import { type Read, Redactor } from './redactor.ts';
import { isPublicWord, listedSecrets } from './secrets.ts';

type Traffic = Exchange & { statusText?: string };

/** Replaces each secret of recorded exchanges by one pseudonym; without the key, which is kept nowhere, nothing leads back. */
export class Pseudonyms {
  readonly #key = randomBytes(32);
  readonly #redactor = new Redactor(
    (secret) => pseudonymOf(secret, (text) => createHmac('sha256', this.#key).update(text).digest('hex')),
    isPublicWord,
  );

  /** The exchange with every secret replaced: all of it is read first, since an answer may tell what the request sent. */
  async hide<E extends Traffic>(exchange: E): Promise<E> {
    for (const secret of listedSecrets(exchange)) this.#redactor.remember(secret);
    const texts: [text: string, header?: string][] = [];
    mapTexts(exchange, (...text) => {
      texts.push(text);
      return '';
    });
    const reads: Read[] = [];
    for (const [text, header] of texts) reads.push(await inTurns(this.#redactor.read(text, header)));
    const hidden: string[] = [];
    for (const read of reads) hidden.push(await inTurns(this.#redactor.hide(read)));
    return mapTexts(exchange, () => hidden.shift() ?? '');
  }
}

/** An exchange with each of its texts, and the values of its headers by their names, replaced in the same order. */
function mapTexts<E extends Traffic>(exchange: E, changed: (text: string, header?: string) => string): E {
  const change = (part: unknown, path: string[]): unknown => {
    const [name = '', holder] = path.toReversed();
    if (typeof part !== 'string') return part;
    if (holder === 'headers') return changed(part, name);
    return ['url', 'body', 'statusText'].includes(name) ? changed(part) : part;
  };
  return mapJson(exchange, change, (name, path) => (path.at(-1) === 'headers' ? changed(name) : name));
}

async function inTurns<T>(work: Generator<void, T>): Promise<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    await next();
  }
}
