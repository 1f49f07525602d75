import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Exchange } from '../core/exchange.ts';
import { type Delivery, isPlain } from '../core/message.ts';
import type { Log } from '../core/world/world.ts';

/**
 * Sends a response, with its transport faults if it has any.
 * @param exchange notified of the outcome
 */
export function deliver(response: ServerResponse, delivery: Delivery, exchange: Exchange | undefined, log: Log): void {
  // The client has disconnected.
  if (response.destroyed) {
    exchange?.dropped();
    return;
  }
  if (!isPlain(delivery)) {
    void deliverWithFaults(response, delivery, exchange, log);
    return;
  }
  const { status, text } = delivery;
  const headers = { ...delivery.headers, 'Content-Length': String(Buffer.byteLength(text)) };
  const earlier = response.getHeaders();
  // Set together: set one by one, Node would store and then copy them.
  response.writeHead(status, headers);
  sendTogether(
    () => response.end(text),
    // With headers that were set before, such as those of CORS.
    () => exchange?.sent(status, { ...earlier, ...headers }, text),
    log,
  );
}

function setHead(response: ServerResponse, { status, headers }: Delivery): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

async function deliverWithFaults(
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

/** Announces the whole body, sends a part of it, and closes the connection. */
function closeMidway(response: ServerResponse, delivery: Delivery, bytes: number): void {
  const body = Buffer.from(delivery.text);
  setHead(response, delivery);
  response.setHeader('Content-Length', Math.max(body.length, bytes + 1));
  response.write(body.subarray(0, bytes), () => close(response));
}

interface Task {
  readonly work: () => void;
  readonly log: Log;
}

const sends: Task[] = [];
const completions: Task[] = [];

/**
 * Sends the responses to all requests of one event loop turn together: waking a client costs more than handling a request,
 * so sending between requests would delay the others.
 * @param complete runs after all responses are sent
 */
export function sendTogether(send: () => void, complete: () => void, log: Log): void {
  completions.push({ work: complete, log });
  // Immediates run after all readable sockets are read.
  if (sends.push({ work: send, log }) === 1) setImmediate(flush);
}

function flush(): void {
  // Tasks added meanwhile run in the next turn.
  for (const { work, log } of [...sends.splice(0), ...completions.splice(0)]) {
    try {
      work();
    } catch (error) {
      // An uncaught error would end the process, and with it the other responses.
      log('error', `BUG: a response could not be sent: ${error instanceof Error ? error.stack : String(error)}`);
    }
  }
}
