import type { Request, Response } from 'express';
import type { Exchange } from '../../http/exchange.ts';
import type { World } from '../../world/world.ts';
import { journalOf } from './journal-of.ts';
import { rendered } from './render.ts';

const heartbeatMilliseconds = 15_000;
/** A client that does not read is not waited for. */
const mostUnread = 4 * 1024 * 1024;

/**
 * Streams a world's journal as server-sent events until the client, the world or the server goes.
 * @param after entries after that one come first
 */
export function streamJournal(
  world: World,
  {
    request,
    response,
    serverUrl,
    after,
  }: { request: Request; response: Response; serverUrl: string; after?: number | undefined },
): void {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    // The connection is of no use for anything else, and must not keep the server from closing.
    Connection: 'close',
  });
  const send = (text: string): void => {
    response.write(text);
    if (response.writableLength > mostUnread) response.destroy();
  };
  const sendEntry = (exchange: Exchange): void => {
    send(`id: ${exchange.number}\nevent: entry\ndata: ${JSON.stringify(rendered(exchange, serverUrl))}\n\n`);
  };
  send(': the journal of this world\n\n');
  const journal = journalOf(world);
  if (after !== undefined) {
    const missed = [...journal.latest()].filter(
      ({ number, milliseconds }) => number > after && milliseconds !== undefined,
    );
    for (const exchange of missed.reverse()) sendEntry(exchange);
  }
  const heartbeat = setInterval(() => send(': still here\n\n'), heartbeatMilliseconds).unref();
  const stop = journal.listen({ entry: sendEntry, end: () => response.end() });
  request.socket.setNoDelay(true);
  response.once('close', () => {
    clearInterval(heartbeat);
    stop();
  });
}
