import type { Exchange } from '../../http/exchange.ts';
import { type Handlers, written } from '../call.ts';
import type { operations } from '../control-types.ts';
import { streamJournal } from '../journal/events.ts';
import { harOf } from '../journal/har.ts';
import { journalOf } from '../journal/journal-of.ts';
import { rendered } from '../journal/render.ts';
import { notFound } from '../refusal.ts';

/** What happened in a world. */
export const journalHandlers: Handlers<
  'queryJournal' | 'clearJournal' | 'watchJournal' | 'exportJournal' | 'getJournalEntry'
> = {
  queryJournal: ({ world, query, serverUrl }) => {
    const journal = journalOf(world);
    const wanted = matcher(query);
    const limit = Number(query.limit ?? 100);
    const found: Exchange[] = [];
    let kept = 0;
    for (const exchange of journal.latest()) {
      kept += 1;
      if (found.length < limit && wanted(exchange)) found.push(exchange);
    }
    const entries = found.map((exchange) => rendered(exchange, serverUrl));
    return { total: journal.total, kept, capacity: journal.capacity, entries };
  },
  clearJournal: ({ world }) => {
    world.journal.clear();
    return undefined;
  },
  watchJournal: ({ world, request, response, serverUrl }) => {
    const after = request.headers['last-event-id'];
    streamJournal(world, { request, response, serverUrl, after: after === undefined ? undefined : Number(after) });
    return written;
  },
  exportJournal: ({ world, response, serverUrl }) => {
    response.setHeader('Content-Disposition', 'attachment; filename="platform-mock.har"');
    const entries = [...journalOf(world).latest()].reverse().map((exchange) => rendered(exchange, serverUrl));
    return harOf(entries, serverUrl);
  },
  getJournalEntry: ({ world, params, serverUrl }) => {
    const exchange = journalOf(world).get(Number(params.entry));
    if (!exchange)
      throw notFound(`There is no entry ${params.entry}; the journal keeps the last ${world.journal.capacity}.`);
    return rendered(exchange, serverUrl);
  },
};

type Query = NonNullable<operations['queryJournal']['parameters']['query']>;

/** True for the exchanges that a query is for. */
function matcher({ after, method, path, status, operation, user, gap, fault }: Query): (exchange: Exchange) => boolean {
  const isStatus = (actual: number | undefined) =>
    status === undefined || String(actual ?? '').startsWith(status.replace('xx', ''));
  return (exchange) =>
    exchange.number > Number(after ?? 0) &&
    (method === undefined || exchange.method === method) &&
    (path === undefined || exchange.url.includes(path)) &&
    isStatus(exchange.answered?.status) &&
    (operation === undefined || exchange.plan?.id === operation) &&
    (user === undefined || exchange.caller?.user.id === user) &&
    (gap === undefined || [...exchange.decidedBy].some((id) => id === gap)) &&
    (fault === undefined || exchange.faults.includes(fault));
}
