import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as Listener, type Socket } from 'node:net';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { WorldServices } from '../core/world/world.ts';
import type { DrainOptions } from './drain-options.ts';

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

/** Turns of the event loop, at most, until nobody connects in one. */
const mostTurns = 1000;

/**
 * A moment when nobody waits to be accepted: the system resets such connections when a server stops listening, and a load
 * balancer may have sent a request on them.
 */
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

const connections = new WeakMap<Server, Set<Socket>>();

/** Follows the connections of a server, for `closeServer`: Node does not count those as idle on which nothing has come yet. */
export function followConnections(server: Server): void {
  const open = new Set<Socket>();
  connections.set(server, open);
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
}

/** Browsers and proxies connect before they have something to ask. */
function closeUnused(server: Server): void {
  server.closeIdleConnections();
  for (const socket of connections.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy();
}

/** How often connections are looked for whose last answer has left. */
const everyMs = 20;
/** A request may be on its way on a connection that looks idle. Whoever is refused a new one meanwhile uses it no more. */
const graceMs = 1000;

/**
 * Takes no more connections, lets requests in flight finish, and closes.
 * @returns how many connections were cut off at the deadline
 */
export async function closeServer(
  server: Server,
  { delayMs = 0, timeoutMs = 2000 }: DrainOptions = {},
): Promise<number> {
  if (delayMs > 0) await betweenConnections(server);
  const closed = new Promise<void>((resolve) => {
    // http's own closes connections at once that look idle.
    if (delayMs > 0) Listener.prototype.close.call(server, () => resolve());
    else server.close(() => resolve());
  });
  if (delayMs > 0) await Promise.race([closed, sleep(Math.min(graceMs, timeoutMs))]);
  closeUnused(server);
  // A connection that was in use when the server closed stays open after its answer.
  const idle = setInterval(() => closeUnused(server), everyMs);
  let cut = 0;
  const deadline = setTimeout(() => {
    server.getConnections((_error, count) => {
      cut = count;
      server.closeAllConnections();
      // http's own does not know those on which TLS has not begun, and no longer those that were upgraded.
      for (const socket of connections.get(server) ?? []) socket.destroy();
    });
  }, timeoutMs);
  await closed;
  clearInterval(idle);
  clearTimeout(deadline);
  return cut;
}
