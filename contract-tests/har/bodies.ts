import { Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Exchange } from '../model.ts';
import { LONGEST_BODY, type Passed } from '../wire/passed.ts';

/** A body as text; without one where it is left out, and why. */
export interface Body {
  text?: string;
  leftOut?: string;
  /** In bytes, decompressed; -1 where it is unknown. */
  size: number;
}

/** An exchange as the suite knows it, and its bodies. */
export type Unpacked = Awaited<ReturnType<typeof unpack>>;

const TOO_LONG = `left out: longer than ${LONGEST_BODY / 1024 / 1024} MB`;
/** Encodings of one body at most. */
const MAX_LAYERS = 4;
const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['br', createBrotliDecompress],
  ['deflate', createInflate],
]);

/** The exchange with header names of responses in lower case, and bodies as text without their encodings. */
export async function unpack(passed: Passed) {
  const { method, url, requestHeaders, requestBody, responseBody, status, durationMs } = passed;
  const headers = lowered(passed.responseHeaders);
  const sent = await bodyOf(requestBody, passed.requestSize, lowered(requestHeaders));
  const answered = await bodyOf(responseBody, passed.responseSize, headers);
  const exchange: Exchange = {
    request: { method, url, headers: requestHeaders, ...(sent.size === 0 ? {} : { body: sent.text ?? '' }) },
    response: { status, headers, body: answered.text ?? '' },
    durationMs,
  };
  return { exchange, sent, answered };
}

const lowered = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** What is no text, or is compressed in a way that nothing tells of, is left out: it may hold anything. */
async function bodyOf(body: Uint8Array, size = body.length, headers: Record<string, string>): Promise<Body> {
  if (size > LONGEST_BODY) return { size, leftOut: TOO_LONG };
  if (size > body.length) return { size, leftOut: 'left out: too much at a time' };
  let bytes = body;
  const encodings = (headers['content-encoding'] ?? '').toLowerCase().split(/[ ,]+/);
  for (const encoding of encodings.toReversed().slice(0, MAX_LAYERS)) {
    const decoded = bytes.length > 0 ? await decompressed(bytes, DECODERS.get(encoding)) : bytes;
    if (decoded === undefined) return { size: -1, leftOut: TOO_LONG };
    bytes = decoded;
  }
  const text = textOf(bytes, headers['content-type'] ?? '');
  return text === undefined ? { size: bytes.length, leftOut: 'left out: not text' } : { size: bytes.length, text };
}

/** Undefined where it is too long; the bytes as they are where they are not compressed so. */
async function decompressed(bytes: Uint8Array, decoder?: () => Transform): Promise<Uint8Array | undefined> {
  if (!decoder) return bytes;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of Readable.from([bytes]).pipe(decoder())) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size > LONGEST_BODY) return undefined;
    }
  } catch {
    return bytes;
  }
  return Buffer.concat(chunks);
}

/** A text in the charset that its type names; undefined for what is none. */
function textOf(bytes: Uint8Array, type: string): string | undefined {
  const [, charset = 'utf-8'] = /charset="?([\w:.-]+)/i.exec(type) ?? [];
  try {
    const text = new TextDecoder(charset, { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
