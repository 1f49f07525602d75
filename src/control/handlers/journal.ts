import { utf8 } from '../../core/crypto.ts';
import { headerOf } from '../../core/message.ts';
import { pageBytes, Slices, textStream } from '../../core/slices.ts';
import type { operations } from '../../core/spec/control-types.ts';
import type { Journal, JournalEntry } from '../../core/world/journal.ts';
import { baseUrlOf, type Handlers } from '../call.ts';
import { journalEvents } from '../journal/events.ts';
import { harOf } from '../journal/har.ts';
import { Mask } from '../journal/mask.ts';
import { type Entry, renderEntry } from '../journal/render.ts';
import { sourceOfWorld } from '../target.ts';

export const journalHandlers = {
  queryJournal: async ({ world: { journal }, query, serverUrl }) => ({
    total: journal.total,
    kept: journal.numbers().length,
    capacity: journal.capacity,
    ...(await pageOf(journal, query, serverUrl)),
  }),
  clearJournal: ({ world }) => void world.journal.clear(),
  watchJournal: ({ world, request, headers, serverUrl }) => {
    headers['Content-Type'] = 'text/event-stream; charset=utf-8';
    headers['Cache-Control'] = 'no-store';
    // A kept-alive connection would keep the server from closing.
    headers.Connection = 'close';
    const after = headerOf(request.headers, 'last-event-id');
    return journalEvents(world, serverUrl, after === undefined ? undefined : Number(after));
  },
  exportJournal: (call) => {
    const { world, headers, serverUrl } = call;
    headers['Content-Type'] = 'application/json; charset=utf-8';
    headers['Content-Disposition'] = 'attachment; filename="platform-mock.har"';
    return textStream(harOf(world.journal, serverUrl, sourceOfWorld(world, baseUrlOf(call, call.worldName))));
  },
} satisfies Partial<Handlers>;

type Query = NonNullable<operations['queryJournal']['parameters']['query']>;

/** Cost of looking at an entry, in bytes of work. */
export const lookBytes = 4096;

async function pageOf(journal: Journal, query: Query, serverUrl: string) {
  const { limit = 100, after = 0, before = Number.POSITIVE_INFINITY } = query;
  const matches = matcher(query);
  const slices = new Slices();
  const mask = new Mask();
  const entries: Entry[] = [];
  let bytes = 0;
  for (const number of journal.numbers().reverse()) {
    if (number <= after || number >= before) continue;
    await slices.spend(lookBytes);
    const found = journal.get(number);
    if (!found || !matches(found)) continue;
    const entry = await slices.run(renderEntry(found, serverUrl, mask));
    const size = utf8(JSON.stringify(entry)).length;
    bytes += size;
    const last = entries.at(-1);
    if (last && (entries.length === limit || bytes > pageBytes)) return { entries, next: last.id };
    entries.push(entry);
    await slices.spend(size);
  }
  return { entries };
}

function matcher({ method, path, status, operation, user, gap, fault }: Query): (entry: JournalEntry) => boolean {
  const isStatus = (actual: number | undefined) =>
    status === undefined || String(actual ?? '').startsWith(status.replace('xx', ''));
  return (entry) =>
    (method === undefined || entry.method === method) &&
    (path === undefined || entry.url.includes(path)) &&
    isStatus(entry.answered?.status) &&
    (operation === undefined || entry.operation === operation) &&
    (user === undefined || entry.caller?.user === user) &&
    (gap === undefined || entry.gaps.some(({ id }) => id === gap)) &&
    (fault === undefined || entry.faults.includes(fault));
}
