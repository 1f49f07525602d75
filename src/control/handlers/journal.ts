import { headerOf } from '../../core/message.ts';
import type { JournalEntry } from '../../core/world/journal.ts';
import type { Handlers } from '../call.ts';
import type { operations } from '../control-types.ts';
import { journalEvents } from '../journal/events.ts';
import { harOf } from '../journal/har.ts';
import { renderEntry } from '../journal/render.ts';
import { notFound } from '../refusal.ts';

/** The journal of a world. */
export const journalHandlers: Handlers<
  'queryJournal' | 'clearJournal' | 'watchJournal' | 'exportJournal' | 'getJournalEntry'
> = {
  queryJournal: ({ world, query, serverUrl }) => {
    const { journal } = world;
    const matches = matcher(query);
    const limit = Number(query.limit ?? 100);
    const selected: JournalEntry[] = [];
    let kept = 0;
    for (const entry of journal.latest()) {
      kept += 1;
      if (selected.length < limit && matches(entry)) selected.push(entry);
    }
    const entries = selected.map((entry) => renderEntry(entry, serverUrl));
    return { total: journal.total, kept, capacity: journal.capacity, entries };
  },
  clearJournal: ({ world }) => {
    world.journal.clear();
    return undefined;
  },
  watchJournal: ({ world, request, headers, serverUrl }) => {
    headers['Content-Type'] = 'text/event-stream; charset=utf-8';
    headers['Cache-Control'] = 'no-store';
    // A kept-alive connection would keep the server from closing.
    headers.Connection = 'close';
    const after = headerOf(request.headers, 'last-event-id');
    return journalEvents(world, serverUrl, after === undefined ? undefined : Number(after));
  },
  exportJournal: ({ world, headers, serverUrl }) => {
    headers['Content-Disposition'] = 'attachment; filename="platform-mock.har"';
    const entries = [...world.journal.latest()].reverse().map((entry) => renderEntry(entry, serverUrl));
    return harOf(entries, serverUrl);
  },
  getJournalEntry: ({ world, params, serverUrl }) => {
    const entry = world.journal.get(Number(params.entry));
    if (!entry)
      throw notFound(`There is no entry ${params.entry}; the journal keeps the last ${world.journal.capacity}.`);
    return renderEntry(entry, serverUrl);
  },
};

type Query = NonNullable<operations['queryJournal']['parameters']['query']>;

/** Returns whether an entry matches a query. */
function matcher({
  after,
  method,
  path,
  status,
  operation,
  user,
  gap,
  fault,
}: Query): (entry: JournalEntry) => boolean {
  const isStatus = (actual: number | undefined) =>
    status === undefined || String(actual ?? '').startsWith(status.replace('xx', ''));
  return (entry) =>
    entry.number > Number(after ?? 0) &&
    (method === undefined || entry.method === method) &&
    (path === undefined || entry.url.includes(path)) &&
    isStatus(entry.answered?.status) &&
    (operation === undefined || entry.operation === operation) &&
    (user === undefined || entry.caller?.user === user) &&
    (gap === undefined || entry.gaps.some(({ id }) => id === gap)) &&
    (fault === undefined || entry.faults.includes(fault));
}
