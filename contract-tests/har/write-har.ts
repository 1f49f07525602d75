import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { UsageError } from '../errors.ts';
import { Pseudonyms } from '../secrets/pseudonyms.ts';
import { type SecretSource, secretsOf } from '../secrets/secrets.ts';
import { packageVersion } from '../spec-data.ts';
import { asText } from '../values/json.ts';
import { LONGEST_BODY, type Passed } from '../wire/passed.ts';
import { entryOf } from './har-entry.ts';
import { claimsOf, type FindingEntries, type Source } from './source.ts';

const COMMENT =
  'Secrets are replaced by pseudonyms of the same form: equal ones stay equal, and none leads back to the secret.';

/** A HAR 1.2 file, whole after each exchange, with pseudonyms for secrets. What goes wrong ends it, and nothing else. */
export class HarFile {
  readonly #file: number;
  readonly #pseudonyms = new Pseudonyms();
  /** What ends the file, whichever exchange was the last. */
  #end = '\n]}}\n';
  #position = 0;
  #count = 0;
  #isOpen = true;
  #writing: Promise<void> = Promise.resolve();

  /**
   * Throws UsageError where the file cannot be written.
   * @param onEnd gets the reason if it ends before it is closed
   * @param sourceOf whose exchanges these are, as far as that is known when the first one is added
   * @param given credentials of a target file, in whatever form
   * @param findings of a run, which hold no secret
   */
  constructor(
    private readonly name: string,
    private readonly onEnd: (message: string) => void = () => {},
    private readonly sourceOf: () => Source | undefined = () => undefined,
    private readonly given: SecretSource = {},
    private readonly findings: FindingEntries = {},
  ) {
    const creator = { name: 'platform-mock', version: packageVersion };
    const head = JSON.stringify({ version: '1.2', creator, comment: COMMENT, _salt: this.#pseudonyms.salt }).slice(
      0,
      -1,
    );
    try {
      this.#file = openSync(name, 'w', 0o600);
      this.#write(`{"log":${head},"entries":[`);
    } catch (error) {
      throw new UsageError(`--record ${name}: cannot be written (${codeOf(error)}).`);
    }
  }

  /** Adds an exchange, after those before it. Resolved once it is in the file. */
  add(passed: Passed): Promise<void> {
    this.#writing = this.#writing.then(() => (this.#isOpen ? this.#add(passed) : undefined));
    return this.#writing;
  }

  #endWith(source: Source | undefined): string {
    if (!source) return this.#end;
    const secrets = [...claimsOf(source), ...secretsOf(this.given)];
    const own = this.#pseudonyms.hideText(JSON.stringify(source), secrets);
    // Of words, and no secret: what looks for secrets by their form would take some of them for PATs.
    return `\n],"_source":${own},"_findings":${JSON.stringify(this.findings)}}}\n`;
  }

  async close(): Promise<void> {
    await this.#writing;
    if (this.#isOpen) closeSync(this.#file);
    this.#isOpen = false;
  }

  async #add(passed: Passed): Promise<void> {
    try {
      if (this.#count === 0) this.#end = this.#endWith(this.sourceOf());
      const text = JSON.stringify(await harEntry(passed, this.#pseudonyms));
      this.#write((this.#count === 0 ? '\n' : ',\n') + text);
      this.#count += 1;
    } catch (error) {
      this.#isOpen = false;
      closeSync(this.#file);
      this.onEnd(`--record ${this.name}: ended after ${this.#count} exchanges, which it holds: ${codeOf(error)}`);
    }
  }

  #write(text: string): void {
    const bytes = Buffer.from(text + this.#end);
    try {
      for (let at = 0; at < bytes.length; )
        at += writeSync(this.#file, bytes, at, bytes.length - at, this.#position + at);
    } catch (error) {
      // The end was there before: it has its place on a full disk, too.
      writeSync(this.#file, this.#end, this.#position);
      ftruncateSync(this.#file, this.#position + Buffer.byteLength(this.#end));
      throw error;
    }
    this.#position += bytes.length - Buffer.byteLength(this.#end);
  }
}

/** `ENOSPC: no space left on device`, without the names of files. */
const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? asText(error);

/** An exchange as an entry of a HAR; with its secrets replaced where pseudonyms are given. */
export async function harEntry(passed: Passed, pseudonyms?: Pseudonyms): Promise<object> {
  const {
    method,
    url,
    startedAt,
    durationMs,
    httpVersion,
    status,
    statusText,
    requestBody,
    responseBody,
    actor,
    asked,
  } = passed;
  const { requestSize = requestBody.length, responseSize = responseBody.length } = passed;
  const sent = bodyOf(requestBody, requestSize, lowered(passed.requestHeaders));
  const answered = bodyOf(responseBody, responseSize, lowered(passed.responseHeaders));
  const exchange = {
    request: { method, url, headers: passed.requestHeaders, body: sent.text ?? '' },
    response: { status, headers: lowered(passed.responseHeaders), body: answered.text ?? '' },
    durationMs,
    statusText,
  };
  const { request, response, statusText: shown } = (await pseudonyms?.hide(exchange)) ?? exchange;
  return entryOf({
    ...{
      startedAt: preciseTime(startedAt),
      durationMs,
      httpVersion,
      method,
      url: request.url,
      actor,
      asked,
    },
    request: {
      headers: listOf(request.headers),
      size: requestSize,
      body: requestSize > 0 ? { ...sent, text: request.body } : undefined,
    },
    ...{ status, statusText: shown },
    response: { headers: listOf(response.headers), size: responseSize, body: { ...answered, text: response.body } },
  });
}

/** With microseconds, so that a short overlap is one in the file as well. @param time in milliseconds */
const preciseTime = (time: number): string => {
  const micros = Math.floor((time % 1) * 1000);
  return new Date(time).toISOString().replace('Z', `${micros}`.padStart(3, '0').concat('Z'));
};

const listOf = (headers: Record<string, string>): { name: string; value: string }[] =>
  Object.entries(headers).flatMap(([name, lines]) => lines.split('\n').map((value) => ({ name, value })));

const lowered = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const TOO_LONG = `left out: longer than ${LONGEST_BODY / 1024 / 1024} MB`;
const DECODERS = new Map(
  Object.entries({ gzip: gunzipSync, 'x-gzip': gunzipSync, br: brotliDecompressSync, deflate: inflateSync }),
);

/** What is no text, or is compressed in an unknown way, is left out: it may hold anything. `size`: bytes, decompressed; -1 if unknown. */
function bodyOf(body: Uint8Array, size: number, headers: Record<string, string>) {
  if (size > Math.min(body.length, LONGEST_BODY)) return { size, comment: TOO_LONG };
  const encodings = (headers['content-encoding'] ?? '').toLowerCase().split(/[ ,]+/);
  const [, charset = 'utf-8'] = /charset="?([\w:.-]+)/i.exec(headers['content-type'] ?? '') ?? [];
  let bytes = body;
  for (const encoding of encodings.toReversed().slice(0, 4))
    try {
      bytes = DECODERS.get(encoding)?.(bytes, { maxOutputLength: LONGEST_BODY }) ?? bytes;
    } catch (error) {
      // Others may have decompressed it.
      if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') return { size: -1, comment: TOO_LONG };
    }
  try {
    const text = new TextDecoder(charset, { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return { size: bytes.length, text };
  } catch {}
  return { size: bytes.length, comment: 'left out: not text' };
}
