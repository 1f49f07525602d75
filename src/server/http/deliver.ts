import { setTimeout as sleep } from 'node:timers/promises';
import type { Response } from 'express';
import type { Delivery } from '../../core/operations/behaviour.ts';
import type { Exchange } from './exchange.ts';
import { sendTogether } from './send-together.ts';

/** Writes an answer out as the delivery says: at once and whole, unless something went wrong on purpose. */
export function deliver(response: Response, exchange: Exchange, delivery: Delivery): void {
  // Whoever asked is gone.
  if (response.destroyed) {
    exchange.noteDrop();
    return;
  }
  if (delivery.delayMs === undefined && delivery.pieces === undefined && delivery.closeAfter === undefined) {
    const { status, text } = delivery;
    const headers = { ...delivery.headers, 'Content-Length': Buffer.byteLength(text) };
    const earlier = response.getHeaders();
    // All at once: set one by one, Node would first keep and then copy them.
    response.writeHead(status, headers);
    sendTogether(
      () => response.end(text),
      // With what earlier steps have set, such as those for pages and for the rate limit.
      () => exchange.noteAnswer(status, { ...earlier, ...headers }, text),
    );
  } else {
    void deliverOddly(response, exchange, delivery);
  }
}

function writeHead(response: Response, { status, headers }: Delivery): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

async function deliverOddly(response: Response, exchange: Exchange, delivery: Delivery): Promise<void> {
  const { delayMs, pieces, closeAfter, ...whole } = delivery;
  if (delayMs !== undefined) await sleep(delayMs, undefined, { ref: false });
  if (response.destroyed || closeAfter !== undefined) exchange.noteDrop();
  if (response.destroyed) return;
  if (closeAfter === 0) return close(response);
  if (closeAfter !== undefined) return closeMidway(response, whole, closeAfter);
  if (pieces === undefined) return deliver(response, exchange, whole);
  writeHead(response, whole);
  exchange.noteAnswer(whole.status, response.getHeaders(), whole.text);
  const characters = [...whole.text];
  for (let at = 0; at < characters.length && !response.destroyed; at += pieces.size) {
    response.write(characters.slice(at, at + pieces.size).join(''));
    if (pieces.everyMs > 0) await sleep(pieces.everyMs, undefined, { ref: false });
  }
  response.end();
}

const close = (response: Response): void => {
  response.socket?.destroy();
};

/** Promises the whole body, sends its beginning, and hangs up. */
function closeMidway(response: Response, delivery: Delivery, bytes: number): void {
  const body = Buffer.from(delivery.text);
  writeHead(response, delivery);
  response.setHeader('Content-Length', Math.max(body.length, bytes + 1));
  response.write(body.subarray(0, bytes), () => close(response));
}
