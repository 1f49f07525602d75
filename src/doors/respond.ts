import { utf8 } from '../core/crypto.ts';
import { bodiless, type Delivery, isPlain } from '../core/message.ts';
import { piecesOf } from '../core/pieces.ts';
import { clearTimeout, setTimeout } from '../core/real-time.ts';
import type { Outcome } from '../mock.ts';

/** An outcome as a response, with its transport faults; throws as fetch does if the connection closes or the signal aborts. */
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
  // As bytes: for text, Response would add a content type, which a fault may omit.
  const body = isPlain(delivery) ? (utf8(text) as Uint8Array<ArrayBuffer>) : inPieces(delivery, signal);
  return new Response(isBodiless ? null : body, { status, headers });
}

/** Waits; throws the signal's reason as soon as it is aborted. */
export async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((done) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      done();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
  });
  signal.throwIfAborted();
}

/** A body that arrives in pieces, or breaks off. */
function inPieces(delivery: Delivery, signal: AbortSignal): ReadableStream<Uint8Array> {
  const pieces = piecesOf(delivery);
  let pauseMs = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      signal.throwIfAborted();
      if (pauseMs > 0) await sleep(pauseMs, signal);
      const { value } = pieces.next();
      pauseMs = value?.pauseMs ?? 0;
      if (value) controller.enqueue(value.bytes);
      else if (delivery.closeAfter === undefined) controller.close();
      else controller.error(new TypeError('A fault closed the connection.'));
    },
  });
}
