import { utf8 } from '../../core/crypto.ts';
import type { JournalEntry } from '../../core/world/journal.ts';
import type { World } from '../../core/world/world.ts';
import { renderEntry } from './render.ts';

const heartbeatMilliseconds = 15_000;
/** Buffer size in bytes per client; a client that does not read is disconnected. */
const maxBuffered = 4 * 1024 * 1024;

/**
 * A world's journal as server-sent events, until the client disconnects, the world is deleted or the server stops.
 * @param after resume after that entry
 */
export function journalEvents(world: World, serverUrl: string, after: number | undefined): ReadableStream<Uint8Array> {
  const { journal } = world;
  let stop = (): void => {};
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const send = (text: string): void => {
          controller.enqueue(utf8(text));
          if ((controller.desiredSize ?? 0) > 0) return;
          stop();
          controller.error(new Error('The client does not read.'));
        };
        const sendEntry = (entry: JournalEntry): void => {
          send(`id: ${entry.number}\nevent: entry\ndata: ${JSON.stringify(renderEntry(entry, serverUrl))}\n\n`);
        };
        const end = (): void => {
          stop();
          controller.close();
        };
        const heartbeat: unknown = setInterval(() => send(': still here\n\n'), heartbeatMilliseconds);
        const unlisten = journal.listen({ entry: sendEntry, end });
        stop = () => {
          clearInterval(heartbeat as number);
          unlisten();
        };
        send(': the journal of this world\n\n');
        if (after === undefined) return;
        const missed = [...journal.latest()].filter(
          ({ number, milliseconds }) => number > after && milliseconds !== undefined,
        );
        for (const entry of missed.reverse()) sendEntry(entry);
      },
      cancel: () => stop(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxBuffered }),
  );
}
