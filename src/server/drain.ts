import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as Listener, type Socket } from 'node:net';
import { clearInterval, clearTimeout, setInterval, setTimeout } from 'node:timers';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { WorldServices } from '../core/world/world.ts';
import type { DrainOptions } from './options.ts';

/** Announces the shutdown to load balancers and clients, and answers for the delay as before. */
export async function sendElsewhere(server: Server, services: WorldServices, delayMs = 0): Promise<void> {
  services.ready = async () => 'the process is ending';
  // Prepended, to run before the listener that answers.
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    response.shouldKeepAlive = false;
  });
  if (delayMs > 0) await sleep(delayMs);
}

/** Maximum number of event loop turns to wait for one without a new connection. */
const mostTurns = 1000;

/** Waits for a moment without pending connections, which the system resets when a server stops listening: they may have a request. */
async function betweenConnections(server: Server): Promise<void> {
  let accepted = 0;
  const count = (): void => {
    accepted += 1;
  };
  server.on('connection', count);
  for (let turns = 0, before = -1; turns < mostTurns && accepted !== before; turns += 1) {
    before = accepted;
    await turn();
  }
  server.off('connection', count);
}

/** The open connections of a server: Node does not count one as idle before its first request. */
export function connectionsOf(server: Server): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return open;
}

/** Closes idle connections, and those that browsers and proxies opened before they had a request. */
async function closeUnused(server: Server, connections: ReadonlySet<Socket>): Promise<void> {
  // A timer that fires late runs before the data that waited meanwhile is read.
  await turn();
  server.closeIdleConnections();
  for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
}

/** Interval between checks for connections whose last answer has left. */
const everyMs = 20;
/** Grace time for requests already sent on connections that look idle. A client that gets no new connection stops using them. */
const graceMs = 1000;

/** Accepts no more connections, finishes requests in flight; returns how many connections were cut off at the deadline. */
export async function closeServer(
  server: Server,
  connections: ReadonlySet<Socket>,
  { delayMs = 0, timeoutMs = 2000 }: DrainOptions = {},
): Promise<number> {
  if (delayMs > 0) await betweenConnections(server);
  const closed = new Promise<void>((resolve) => {
    // http's own `close` ends idle-looking connections at once.
    if (delayMs > 0) Listener.prototype.close.call(server, () => resolve());
    else server.close(() => resolve());
  });
  if (delayMs > 0) await Promise.race([closed, sleep(Math.min(graceMs, timeoutMs))]);
  await closeUnused(server, connections);
  // A connection in use when the server closed stays open after its answer.
  const idle = setInterval(() => void closeUnused(server, connections), everyMs);
  let cut = 0;
  const deadline = setTimeout(() => {
    server.getConnections((_error, count) => {
      cut = count;
      // http's own `closeAllConnections` leaves those before the TLS handshake, and upgraded ones.
      for (const socket of connections) socket.destroy();
    });
  }, timeoutMs);
  await closed;
  clearInterval(idle);
  clearTimeout(deadline);
  return cut;
}
