import { clearTimeout, setTimeout } from '../../core/real-time.ts';
import { Slices, textStream } from '../../core/slices.ts';
import type { JournalEntry } from '../../core/world/journal.ts';
import type { World } from '../../core/world/world.ts';
import { Mask } from './mask.ts';
import { renderEntry } from './render.ts';

const heartbeatMilliseconds = 15_000;

/** A world's journal as server-sent events, from the entry after that one. Slow readers get the number of entries that they missed. */
export function journalEvents(
  { journal }: World,
  serverUrl: string,
  after = Number.POSITIVE_INFINITY,
): ReadableStream<Uint8Array> {
  /** Entries to send: by number, or themselves if the journal does not keep them. */
  const waiting = new Map<number, JournalEntry | undefined>();
  let isOver = false;
  let wake = (): void => {};
  for (const number of journal.numbers()) if (number > after) waiting.set(number, undefined);
  const [next = journal.last + 1] = waiting.keys();
  let dropped = Math.max(0, next - 1 - Math.max(after, journal.cleared));
  const end = (): void => {
    isOver = true;
    wake();
  };
  const entry = (number: number, outlived?: JournalEntry): void => {
    waiting.set(number, outlived);
    const [oldest = 0] = waiting.keys();
    if (waiting.size > journal.capacity && waiting.delete(oldest)) dropped += 1;
    wake();
  };
  const missed = (count: number): void => {
    dropped += count;
  };
  const unlisten = journal.listen({ entry, missed, end });

  async function* events(): AsyncGenerator<string, void> {
    const slices = new Slices();
    const mask = new Mask();
    yield ': the journal of this world\n\n';
    for (;;) {
      for (const [number, outlived] of waiting) {
        waiting.delete(number);
        const found = outlived ?? journal.get(number);
        if (!found) dropped += 1;
        // An entry in progress is sent when it ends.
        if (found?.milliseconds === undefined) continue;
        const rendered = await slices.run(renderEntry(found, serverUrl, mask));
        if (dropped > 0) yield `event: dropped\ndata: {"dropped":${dropped}}\n\n`;
        dropped = 0;
        const text = `id: ${number}\nevent: entry\ndata: ${JSON.stringify(rendered)}\n\n`;
        yield text;
        await slices.spend(text.length);
      }
      if (isOver) return;
      let timer: unknown;
      await new Promise<void>((resolve) => {
        wake = resolve;
        timer = setTimeout(resolve, heartbeatMilliseconds);
      });
      clearTimeout(timer as number);
      if (waiting.size === 0 && !isOver) yield ': still here\n\n';
    }
  }
  return textStream(events(), () => {
    unlisten();
    waiting.clear();
    end();
  });
}
