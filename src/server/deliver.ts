import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Exchange } from '../core/exchange.ts';
import { type Delivery, isPlain } from '../core/message.ts';
import type { Log } from '../core/world/world.ts';

/**
 * Sends an answer as the delivery says: at once and whole, unless something is to go wrong on purpose.
 * @param exchange told how it went
 */
export function deliver(response: ServerResponse, delivery: Delivery, exchange: Exchange | undefined, log: Log): void {
  // The client is gone.
  if (response.destroyed) {
    exchange?.dropped();
    return;
  }
  if (!isPlain(delivery)) {
    void deliverOddly(response, delivery, exchange, log);
    return;
  }
  const { status, text } = delivery;
  const headers = { ...delivery.headers, 'Content-Length': String(Buffer.byteLength(text)) };
  const earlier = response.getHeaders();
  // All at once: set one by one, Node would first keep and then copy them.
  response.writeHead(status, headers);
  sendTogether(
    () => response.end(text),
    // With what was set before, such as the headers for pages.
    () => exchange?.sent(status, { ...earlier, ...headers }, text),
    log,
  );
}

function setHead(response: ServerResponse, { status, headers }: Delivery): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

async function deliverOddly(
  response: ServerResponse,
  delivery: Delivery,
  exchange: Exchange | undefined,
  log: Log,
): Promise<void> {
  const { delayMs, pieces, closeAfter, ...whole } = delivery;
  if (delayMs !== undefined) await sleep(delayMs, undefined, { ref: false });
  if (response.destroyed || closeAfter !== undefined) exchange?.dropped();
  if (response.destroyed) return;
  if (closeAfter === 0) return close(response);
  if (closeAfter !== undefined) return closeMidway(response, whole, closeAfter);
  if (pieces === undefined) return deliver(response, whole, exchange, log);
  setHead(response, whole);
  exchange?.sent(whole.status, response.getHeaders(), whole.text);
  const characters = [...whole.text];
  for (let at = 0; at < characters.length && !response.destroyed; at += pieces.size) {
    response.write(characters.slice(at, at + pieces.size).join(''));
    if (pieces.everyMs > 0) await sleep(pieces.everyMs, undefined, { ref: false });
  }
  response.end();
}

const close = (response: ServerResponse): void => {
  response.socket?.destroy();
};

/** Promises the whole body, sends its beginning, and hangs up. */
function closeMidway(response: ServerResponse, delivery: Delivery, bytes: number): void {
  const body = Buffer.from(delivery.text);
  setHead(response, delivery);
  response.setHeader('Content-Length', Math.max(body.length, bytes + 1));
  response.write(body.subarray(0, bytes), () => close(response));
}

interface Waiting {
  readonly work: () => void;
  readonly log: Log;
}

const sends: Waiting[] = [];
const rests: Waiting[] = [];

/**
 * Sends an answer once all requests that came in together were handled, together with their answers. What is sent first
 * wakes whoever waits for it, which costs more than all else that an answer needs; sent between requests, each would.
 * @param rest what nobody waits for: done when all of them are out
 */
export function sendTogether(send: () => void, rest: () => void, log: Log): void {
  rests.push({ work: rest, log });
  // Immediates run when all sockets with something to read were read.
  if (sends.push({ work: send, log }) === 1) setImmediate(finish);
}

function finish(): void {
  // What is added meanwhile waits for the next time.
  for (const { work, log } of [...sends.splice(0), ...rests.splice(0)]) {
    try {
      work();
    } catch (error) {
      // Nobody is above an immediate: it would end the process, and with it all the others' answers.
      log('error', `BUG: an answer could not be sent: ${error instanceof Error ? error.stack : String(error)}`);
    }
  }
}
