import { isUtf8 } from 'node:buffer';
import { closeSync, openSync, writeSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { UsageError } from '../errors.ts';
import type { Exchange } from '../model.ts';
import { packageVersion } from '../spec-data.ts';
import { Pseudonyms } from './pseudonyms.ts';

/** An exchange as it passed. */
export interface Passed {
  method: string;
  url: string;
  httpVersion: string;
  requestHeaders: Record<string, string>;
  requestBody: Uint8Array;
  status: number;
  statusText: string;
  /** Cookies are on a line each. */
  responseHeaders: Record<string, string>;
  responseBody: Uint8Array;
  /** Milliseconds since 1970. */
  startedAt: number;
  durationMs: number;
}

const MAX_DECODED = 256 * 1024 * 1024;
/** Longer bodies are left out, or no reader would take the file: in JSON, a byte may need six. */
const LONGEST = 5 * 1024 * 1024;
const LEFT_OUT = { comment: `left out: longer than ${LONGEST / 1024 / 1024} MB` };
const END = '\n]}}\n';
const COMMENT =
  'Secrets are replaced by pseudonyms of the same form: equal ones stay equal, and none leads back to the secret.';

/** A HAR 1.2 file that grows exchange by exchange, and is whole after each of them. Secrets are replaced by pseudonyms. */
export class HarFile {
  readonly #file: number;
  readonly #pseudonyms = new Pseudonyms();
  #position = 0;
  #count = 0;

  /** Throws UsageError where the file cannot be written. What it held is gone. */
  constructor(file: string) {
    try {
      this.#file = openSync(file, 'w', 0o600);
    } catch (error) {
      throw new UsageError(`--record ${file}: cannot be written (${(error as NodeJS.ErrnoException).code}).`);
    }
    const creator = { name: 'platform-mock', version: packageVersion };
    const head = JSON.stringify({ version: '1.2', creator, comment: COMMENT }).slice(0, -1);
    this.#write(`{"log":${head},"entries":[`);
  }

  /** How many exchanges it holds. */
  get count(): number {
    return this.#count;
  }

  add(passed: Passed): void {
    const separator = this.#count === 0 ? '\n' : ',\n';
    this.#write(separator + JSON.stringify(this.#entry(passed)));
    this.#count += 1;
  }

  close(): void {
    closeSync(this.#file);
  }

  /** Writes over the end of the file, and ends it again. */
  #write(text: string): void {
    const bytes = Buffer.from(text + END);
    writeSync(this.#file, bytes, 0, bytes.length, this.#position);
    this.#position += bytes.length - END.length;
  }

  #entry(passed: Passed): object {
    const { requestBody, responseBody, startedAt, durationMs, httpVersion, statusText, status } = passed;
    const decoded = decode(passed);
    const [isSentLong, isLong] = [requestBody, decoded].map(({ length }) => length > LONGEST);
    const none = Buffer.alloc(0);
    const exchange = exchangeOf({
      ...passed,
      ...(isSentLong && { requestBody: none }),
      ...(isLong && { responseBody: none }),
    });
    const { request, response } = this.#pseudonyms.hide(exchange);
    const { headers = {}, body = '' } = response ?? {};
    const type = (from: Record<string, string>): string =>
      Object.entries(from).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
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
        ...(requestBody.length > 0 && {
          postData: { mimeType: type(request.headers), ...(isSentLong ? LEFT_OUT : { text: request.body ?? '' }) },
        }),
        headersSize: -1,
        bodySize: requestBody.length,
      },
      response: {
        status,
        statusText: this.#pseudonyms.text(statusText),
        httpVersion,
        cookies: [],
        headers: listOf(headers),
        content: {
          size: decoded.length,
          mimeType: type(headers),
          // Bytes that are no text are kept as they are, unless they hold a secret.
          ...(isLong ? LEFT_OUT : textOf(body === exchange.response?.body ? decoded : Buffer.from(body), body)),
        },
        redirectURL: headers.location ?? '',
        headersSize: -1,
        bodySize: responseBody.length,
      },
      cache: {},
      timings: { send: 0, wait: durationMs, receive: 0 },
    };
  }
}

/** The exchange as the suite knows it: header names of responses in lower case, bodies as text. */
export function exchangeOf(passed: Passed): Exchange {
  const { method, url, requestHeaders, requestBody, status, responseHeaders, durationMs } = passed;
  const lowered = Object.entries(responseHeaders).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    request: {
      method,
      url,
      headers: requestHeaders,
      ...(requestBody.length > 0 ? { body: Buffer.from(requestBody).toString('utf8') } : {}),
    },
    response: { status, headers: Object.fromEntries(lowered), body: decode(passed).toString('utf8') },
    durationMs,
  };
}

/** The body of a response without its content encoding; as it came where that is not what it says. */
function decode({ responseHeaders, responseBody }: Passed): Buffer {
  const encoding = Object.entries(responseHeaders).find(([name]) => name.toLowerCase() === 'content-encoding')?.[1];
  const options = { maxOutputLength: MAX_DECODED };
  try {
    if (encoding === 'gzip') return gunzipSync(responseBody, options);
    if (encoding === 'br') return brotliDecompressSync(responseBody, options);
    if (encoding === 'deflate') return inflateSync(responseBody, options);
  } catch {
    return Buffer.from(responseBody);
  }
  return Buffer.from(responseBody);
}

/** A body as text, or in base64 where it is none. */
const textOf = (bytes: Buffer, text: string): object =>
  isUtf8(bytes) ? { text } : { text: bytes.toString('base64'), encoding: 'base64' };

const listOf = (headers: Record<string, string>): { name: string; value: string }[] =>
  Object.entries(headers).flatMap(([name, lines]) => lines.split('\n').map((value) => ({ name, value })));
