import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { UsageError } from '../errors.ts';
import { Pseudonyms } from '../secrets/pseudonyms.ts';
import { packageVersion } from '../spec-data.ts';
import type { Passed } from '../wire/passed.ts';
import { type Body, unpack } from './bodies.ts';

const END = '\n]}}\n';
const COMMENT =
  'Secrets are replaced by pseudonyms of the same form: equal ones stay equal, and none leads back to the secret.';
/** Bytes of bodies that wait to be written. */
const MAX_WAITING = 32 * 1024 * 1024;

/**
 * A HAR 1.2 file that grows exchange by exchange, and is whole after each of them. Secrets are replaced by pseudonyms. What goes
 * wrong ends it, and nothing else.
 */
export class HarFile {
  readonly #file: number;
  readonly #name: string;
  readonly #pseudonyms = new Pseudonyms();
  #position = 0;
  #count = 0;
  #waiting = 0;
  #isOpen = true;
  #writing: Promise<void> = Promise.resolve();

  /**
   * Throws UsageError where the file cannot be written. What it held is gone.
   * @param onEnd told why it has ended before it was closed
   */
  constructor(
    file: string,
    private readonly onEnd: (message: string) => void = () => {},
  ) {
    this.#name = file;
    const creator = { name: 'platform-mock', version: packageVersion };
    const head = JSON.stringify({ version: '1.2', creator, comment: COMMENT }).slice(0, -1);
    try {
      this.#file = openSync(file, 'w', 0o600);
      this.#write(`{"log":${head},"entries":[`);
    } catch (error) {
      throw new UsageError(`--record ${file}: cannot be written (${codeOf(error)}).`);
    }
  }

  /** Adds an exchange, after those before it; bodies that came too fast are left out. Resolved once it is in the file. */
  add(passed: Passed): Promise<void> {
    const bytes = passed.requestBody.length + passed.responseBody.length;
    const isTooMuch = this.#waiting + bytes > MAX_WAITING;
    const kept = isTooMuch ? withoutBodies(passed) : passed;
    if (!isTooMuch) this.#waiting += bytes;
    this.#writing = this.#writing.then(async () => {
      if (this.#isOpen) await this.#add(kept).catch((error: unknown) => this.#endBy(error));
      if (!isTooMuch) this.#waiting -= bytes;
    });
    return this.#writing;
  }

  /** Writes the pending exchanges, and closes the file. */
  async close(): Promise<void> {
    await this.#writing;
    if (this.#isOpen) closeSync(this.#file);
    this.#isOpen = false;
  }

  async #add(passed: Passed): Promise<void> {
    const text = JSON.stringify(await this.#entry(passed));
    this.#write((this.#count === 0 ? '\n' : ',\n') + text);
    this.#count += 1;
  }

  #endBy(error: unknown): void {
    this.#isOpen = false;
    closeSync(this.#file);
    this.onEnd(`--record ${this.#name}: ended after ${this.#count} exchanges, which it holds: ${codeOf(error)}`);
  }

  /** Writes over the end of the file, and ends it again. */
  #write(text: string): void {
    const put = (bytes: Buffer): void => {
      for (let at = 0; at < bytes.length; )
        at += writeSync(this.#file, bytes, at, bytes.length - at, this.#position + at);
    };
    const bytes = Buffer.from(text + END);
    try {
      put(bytes);
    } catch (error) {
      // The end was there before: it has its place on a full disk, too.
      put(Buffer.from(END));
      ftruncateSync(this.#file, this.#position + END.length);
      throw error;
    }
    this.#position += bytes.length - END.length;
  }

  async #entry(passed: Passed): Promise<object> {
    const { startedAt, durationMs, httpVersion, status, requestBody, responseBody } = passed;
    const { requestSize = requestBody.length, responseSize = responseBody.length } = passed;
    const { exchange, sent, answered } = await unpack(passed);
    const { request, response, statusText } = await this.#pseudonyms.hide(exchange, passed.statusText);
    const { headers = {}, body = '' } = response ?? {};
    const type = (from: Record<string, string>): string =>
      Object.entries(from).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
    const shown = ({ leftOut }: Body, text = ''): object => (leftOut === undefined ? { text } : { comment: leftOut });
    return {
      startedDateTime: new Date(startedAt).toISOString(),
      time: durationMs,
      request: {
        method: request.method,
        url: request.url,
        httpVersion,
        cookies: [],
        headers: listOf(request.headers),
        queryString: [...new URL(request.url).searchParams].map(([name, value]) => ({ name, value })),
        ...(requestSize > 0 && { postData: { mimeType: type(request.headers), ...shown(sent, request.body) } }),
        headersSize: -1,
        bodySize: requestSize,
      },
      response: {
        status,
        statusText,
        httpVersion,
        cookies: [],
        headers: listOf(headers),
        content: { size: answered.size, mimeType: type(headers), ...shown(answered, body) },
        redirectURL: headers.location ?? '',
        headersSize: -1,
        bodySize: responseSize,
      },
      cache: {},
      timings: { send: 0, wait: durationMs, receive: 0 },
    };
  }
}

const withoutBodies = (passed: Passed): Passed => ({
  ...passed,
  requestBody: NOTHING,
  requestSize: passed.requestSize ?? passed.requestBody.length,
  responseBody: NOTHING,
  responseSize: passed.responseSize ?? passed.responseBody.length,
});

const NOTHING = Buffer.alloc(0);

/** `ENOSPC: no space left on device`, without the names of files. */
const codeOf = (error: unknown): string =>
  (error as NodeJS.ErrnoException).code ?? (error instanceof Error ? error.message : String(error));

const listOf = (headers: Record<string, string>): { name: string; value: string }[] =>
  Object.entries(headers).flatMap(([name, lines]) => lines.split('\n').map((value) => ({ name, value })));
