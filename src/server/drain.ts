import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorldServices } from '../core/world/world.ts';

/** How a server ends, in milliseconds. */
export interface DrainOptions {
  /** It goes on answering for so long, while readiness probes and `Connection: close` send clients elsewhere. Default 0. */
  readonly delayMs?: number;
  /** Requests in flight may take so long after that. Default 2000. */
  readonly timeoutMs?: number;
}

/**
 * Tells load balancers to go elsewhere, and clients not to use their connections again, and goes on answering for the delay.
 */
export async function sendElsewhere(server: Server, services: WorldServices, delayMs = 0): Promise<void> {
  services.ready = async () => 'the process is ending';
  // First, before the listener that answers.
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.shouldKeepAlive = false;
  });
  if (delayMs > 0) await sleep(delayMs);
}

/** How often connections are looked for whose last answer has left. */
const everyMs = 20;

/**
 * Takes no more connections, lets requests in flight finish, and closes.
 * @returns how many connections were cut off at the deadline
 */
export async function closeServer(server: Server, timeoutMs = 2000): Promise<number> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  // A connection that was in use when the server closed stays open after its answer.
  const idle = setInterval(() => server.closeIdleConnections(), everyMs);
  let cut = 0;
  const deadline = setTimeout(() => {
    server.getConnections((_error, count) => {
      cut = count;
      server.closeAllConnections();
    });
  }, timeoutMs);
  await closed;
  clearInterval(idle);
  clearTimeout(deadline);
  return cut;
}
