import { createHmac, randomBytes } from 'node:crypto';
import { setImmediate as next } from 'node:timers/promises';
import type { Exchange } from '../model.ts';
import { pseudonymOf } from './pseudonym.ts';
import { type Read, Redactor } from './redactor.ts';
import { isPublicWord, listedSecrets } from './secrets.ts';

/** Replaces each secret of recorded exchanges by one pseudonym; without the key, which is kept nowhere, nothing leads back. */
export class Pseudonyms {
  readonly #key = randomBytes(32);
  readonly #redactor = new Redactor(
    (secret) => pseudonymOf(secret, (text) => createHmac('sha256', this.#key).update(text).digest('hex')),
    isPublicWord,
  );

  /** The exchange with every secret replaced: all of it is read first, since an answer may tell what the request sent. */
  async hide<E extends Exchange & { statusText?: string }>(exchange: E): Promise<E> {
    for (const secret of listedSecrets(exchange)) this.#redactor.remember(secret);
    const { request, response, statusText } = exchange;
    const { headers = {}, body = '' } = response ?? {};
    const texts = [request.url, request.body ?? '', body, statusText ?? ''];
    const [sent, answered] = [Object.entries(request.headers), Object.entries(headers)];
    const named = [...sent, ...answered].flatMap(([name, value]): [string, string][] => [
      ['', name],
      [name, value],
    ]);
    const hidden = await inSlices(this.#hidden([...texts.map((text): [string, string] => ['', text]), ...named]));
    const [url = '', requestBody = '', responseBody = '', status = ''] = hidden.splice(0, texts.length);
    const next = (): [string, string] => [hidden.shift() ?? '', hidden.shift() ?? ''];
    const sentHeaders = Object.fromEntries(sent.map(next));
    return {
      ...exchange,
      request: {
        ...request,
        url,
        headers: sentHeaders,
        ...(request.body === undefined ? {} : { body: requestBody }),
      },
      ...(response && {
        response: { ...response, headers: Object.fromEntries(answered.map(next)), body: responseBody },
      }),
      ...(statusText !== undefined && { statusText: status }),
    };
  }

  *#hidden(texts: readonly [header: string, text: string][]): Generator<void, string[]> {
    const reads: Read[] = [];
    for (const [header, text] of texts) reads.push(yield* this.#redactor.read(text, header));
    const hidden: string[] = [];
    for (const read of reads) hidden.push(yield* this.#redactor.hide(read));
    return hidden;
  }
}

/** Milliseconds of work between which others get their turn. */
const SLICE_MS = 10;
let since = 0;

/** Does the work of a generator, and lets others have their turn where it pauses. */
async function inSlices<T>(work: Generator<void, T>): Promise<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    if (performance.now() - since < SLICE_MS) continue;
    await next();
    since = performance.now();
  }
}
