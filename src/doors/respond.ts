import { utf8 } from '../core/crypto.ts';
import { type Delivery, isPlain } from '../core/message.ts';
import type { Outcome } from '../mock.ts';

/** Statuses whose responses have no body: `Response` refuses to be made with one. */
const bodiless: readonly number[] = [204, 205, 304];

/**
 * An outcome as the response to a request, with what goes wrong on purpose on its way.
 * @throws TypeError where a fault closes the connection, as fetch does; the signal's reason once that is aborted
 */
export async function respond(request: Request, { delivery, stream, exchange }: Outcome): Promise<Response> {
  const { signal, method } = request;
  const { status, text, delayMs, closeAfter } = delivery;
  const headers = { ...delivery.headers };
  if (stream) return new Response(stream.pipeThrough(new TransformStream(), { signal }), { status, headers });
  try {
    if (delayMs !== undefined) await sleep(delayMs, signal);
    signal.throwIfAborted();
    if (closeAfter === 0) throw new TypeError('Failed to fetch: a fault closed the connection.');
  } catch (error) {
    exchange?.dropped();
    throw error;
  }
  if (closeAfter === undefined) exchange?.sent(status, headers, text);
  else exchange?.dropped();
  const isBodiless = method === 'HEAD' || bodiless.includes(status);
  // As bytes: of a text, Response would add a content type, where a fault leaves that out.
  const body = isPlain(delivery) ? (utf8(text) as Uint8Array<ArrayBuffer>) : inPieces(delivery, signal);
  return new Response(isBodiless ? null : body, { status, headers });
}

/**
 * Waits.
 * @throws the signal's reason, at once, where that is aborted
 */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    const abort = (): void => {
      clearTimeout(timer);
      fail(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      done();
    }, milliseconds);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

/** A body that comes bit by bit, or breaks off. */
function inPieces({ text, pieces, closeAfter }: Delivery, signal: AbortSignal): ReadableStream<Uint8Array> {
  const parts =
    closeAfter === undefined ? split(text, pieces?.size ?? text.length) : [utf8(text).subarray(0, closeAfter)];
  const everyMs = pieces?.everyMs ?? 0;
  let at = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      signal.throwIfAborted();
      if (at > 0 && at < parts.length && everyMs > 0) await sleep(everyMs, signal);
      const part = parts[at];
      at += 1;
      if (part !== undefined) controller.enqueue(part);
      else if (closeAfter === undefined) controller.close();
      else controller.error(new TypeError('A fault closed the connection.'));
    },
  });
}

function split(text: string, size: number): Uint8Array[] {
  const characters = [...text];
  const parts: Uint8Array[] = [];
  for (let at = 0; at < characters.length; at += size) parts.push(utf8(characters.slice(at, at + size).join('')));
  return parts;
}
