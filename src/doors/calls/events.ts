import type { ControlClient } from '../control-client.ts';
import type { JournalEntry } from './call.ts';

/** The entries of a world's journal after a number, page by page; `dropped`: of how many it has dropped, some may be among them. */
export async function entriesAfter(control: ControlClient, after: number) {
  const entries: JournalEntry[] = [];
  for (let before: number | undefined; ; ) {
    const { data } = await control.GET('/journal', { params: { query: { after, before, limit: 1000 } } });
    entries.push(...data.entries);
    before = data.next;
    if (before !== undefined) continue;
    const isWhole = entries.length < data.kept || Math.min(...entries.map(({ id }) => id)) === after + 1;
    return { entries, dropped: isWhole ? 0 : data.total - data.kept };
  }
}

/** The entries of a journal after `after` as they end, by its server-sent events, until `until` resolves. */
export async function* journalEvents(control: ControlClient, after: number, until: Promise<unknown>) {
  const { data } = await control.GET('/journal/events', {
    params: { header: { 'last-event-id': after } },
    parseAs: 'stream',
  });
  if (data) yield* entriesIn(data, until);
}

/** The entries that server-sent events hold, as they arrive, until `until` resolves. */
export async function* entriesIn(events: ReadableStream<Uint8Array>, until: Promise<unknown>) {
  const reader = events.getReader();
  const decoder = new TextDecoder();
  // Not by an AbortSignal: in a simulated DOM, the page's AbortSignal does not work with fetch.
  const ended = until.then(() => ({ done: true, value: undefined }) as const);
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), ended]);
      if (done) return;
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, json] = /^data: (.*)$/m.exec(block) ?? [];
        if (json !== undefined) yield JSON.parse(json) as JournalEntry;
      }
    }
  } finally {
    // Not awaited: under MSW, which reads a copy, it never resolves.
    reader.cancel().catch(() => {});
  }
}
