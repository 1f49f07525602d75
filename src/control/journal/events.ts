import type { Request, Response } from 'express';
import type { JournalEntry } from '../../core/world/journal.ts';
import type { World } from '../../core/world/world.ts';
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
  const sendEntry = (entry: JournalEntry): void => {
    send(`id: ${entry.number}\nevent: entry\ndata: ${JSON.stringify(rendered(entry, serverUrl))}\n\n`);
  };
  send(': the journal of this world\n\n');
  const { journal } = world;
  if (after !== undefined) {
    const missed = [...journal.latest()].filter(
      ({ number, milliseconds }) => number > after && milliseconds !== undefined,
    );
    for (const entry of missed.reverse()) sendEntry(entry);
  }
  const heartbeat = setInterval(() => send(': still here\n\n'), heartbeatMilliseconds).unref();
  const stop = journal.listen({ entry: sendEntry, end: () => response.end() });
  request.socket.setNoDelay(true);
  response.once('close', () => {
    clearInterval(heartbeat);
    stop();
  });
}
