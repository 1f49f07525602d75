import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { traceOf } from '../../contract-tests/values/json.ts';
import type { Exchange } from '../core/exchange.ts';
import { type Delivery, isPlain } from '../core/message.ts';
import { piecesOf } from '../core/pieces.ts';
import type { Log } from '../core/world/world.ts';
import { exposeAll } from './cors.ts';

/** Sends a response with its transport faults, and tells `exchange` the outcome. */
export function deliver(response: ServerResponse, delivery: Delivery, exchange: Exchange | undefined, log: Log): void {
  if (response.destroyed) {
    exchange?.dropped();
    return;
  }
  if (exchange) exposeAll(response, delivery.headers);
  if (!isPlain(delivery)) {
    void deliverWithFaults(response, delivery, exchange, log);
    return;
  }
  const { status, text } = delivery;
  const length = Buffer.byteLength(text);
  const headers = { ...delivery.headers, 'Content-Length': String(length) };
  // Some headers, such as those of CORS, are already set.
  const all = response.getHeaderNames().length > 0 ? { ...response.getHeaders(), ...headers } : headers;
  // Set all at once: set one by one, Node would store and copy them.
  response.writeHead(status, headers);
  sendTogether(
    () => endWith(response, text, length === text.length ? 'latin1' : 'utf8'),
    () => exchange?.sent(status, all, text),
    log,
  );
}

/** Head and text in one write, which is faster. A response that waits for an earlier one, or whose connection is gone, is left to Node. */
function endWith(response: ServerResponse, text: string, encoding: BufferEncoding): void {
  const { socket } = response;
  if (text === '' || !socket?.writable) {
    response.end(text);
    return;
  }
  socket.cork();
  response.write(text, encoding);
  socket.uncork();
  response.end();
}

async function deliverWithFaults(
  response: ServerResponse,
  delivery: Delivery,
  exchange: Exchange | undefined,
  log: Log,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const { delayMs, ...undelayed } = delivery;
  if (delayMs !== undefined) await pause(delayMs, gone.signal);
  const { closeAfter, text } = delivery;
  if (response.destroyed || closeAfter !== undefined) exchange?.dropped();
  if (response.destroyed) return;
  if (closeAfter === 0) return close(response);
  if (isPlain(undelayed)) return deliver(response, undelayed, exchange, log);
  response.statusCode = delivery.status;
  for (const [name, value] of Object.entries(delivery.headers)) response.setHeader(name, value);
  const length = Buffer.byteLength(text);
  // A response that is cut off announces its whole length.
  if (delivery.pieces === undefined || closeAfter !== undefined)
    response.setHeader('Content-Length', closeAfter === undefined ? length : Math.max(length, closeAfter + 1));
  if (closeAfter === undefined) exchange?.sent(delivery.status, response.getHeaders(), text);
  for (const { bytes, pauseMs } of piecesOf(delivery)) {
    if (response.destroyed) return;
    await new Promise<unknown>((written) => response.write(bytes, written));
    if (pauseMs > 0) await pause(pauseMs, gone.signal);
  }
  if (closeAfter === undefined) response.end();
  else close(response);
}

/** Waits until the time is over or the connection is gone; keeps no process alive. */
const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  sleep(milliseconds, undefined, { ref: false, signal }).catch(() => {});

const close = (response: ServerResponse): void => {
  response.socket?.destroy();
};

interface Task {
  readonly work: () => void;
  readonly log: Log;
}

const sends: Task[] = [];
const completions: Task[] = [];

/** Sends the responses of one event loop turn together, since waking a client costs more than handling a request; then runs `complete`. */
export function sendTogether(send: () => void, complete: () => void, log: Log): void {
  completions.push({ work: complete, log });
  // Immediates run after Node has read all readable sockets.
  if (sends.push({ work: send, log }) === 1) setImmediate(flush);
}

function flush(): void {
  // Tasks that are added during this loop run in the next turn.
  for (const { work, log } of [...sends.splice(0), ...completions.splice(0)]) {
    try {
      work();
    } catch (error) {
      // An uncaught error would end the process and lose the other responses.
      log('error', `BUG: a response could not be sent: ${traceOf(error)}`);
    }
  }
}
