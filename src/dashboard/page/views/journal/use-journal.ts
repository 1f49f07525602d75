import { useRef, useState } from 'preact/hooks';
import { control, type Schemas, unwrap } from '../../api/client.ts';
import { useRequests } from '../../api/events.ts';
import { useLoad } from '../../api/load.ts';
import type { JournalFilter } from './filters.tsx';

type JournalEntry = Schemas['JournalEntry'];

/** Entries that are fetched. */
const fetched = 200;

/**
 * The entries that match, latest first, kept current by the server's events. An event only says that there is a new
 * entry: the server decides what matches, so the journal is fetched again.
 * @param isRead somebody reads: what is shown stays, and new entries are only counted
 */
export function useJournal(filter: JournalFilter, isRead: boolean) {
  const key = JSON.stringify(filter);
  const journal = useLoad(async () => {
    const entries: JournalEntry[] = [];
    for (let before: number | undefined; ; ) {
      const query = { ...filter, before, limit: fetched - entries.length };
      const page = await unwrap(control.GET('/journal', { params: { query } }));
      entries.push(...page.entries);
      before = page.next;
      if (before === undefined || entries.length >= fetched) return { ...page, entries, key };
    }
  }, [key]);
  const stream = useRequests(journal.reload);
  const [, redraw] = useState({});
  const shown = useRef(journal.data);
  const latest = journal.data;
  const isOther = shown.current?.key !== latest?.key || (latest?.total ?? 0) < (shown.current?.total ?? 0);
  if (!isRead || isOther) shown.current = latest;
  const [newest] = shown.current?.entries ?? [];
  const isNew = ({ id }: JournalEntry) => id > (newest?.id ?? 0);
  return {
    journal: { ...journal, data: shown.current },
    stream,
    /** Entries that arrived since. */
    waiting: (latest?.entries ?? []).filter(isNew),
    showWaiting: () => {
      shown.current = latest;
      redraw({});
    },
  };
}

/** A browser's question whether it may send the request that follows. */
export const isPreflight = ({ request }: JournalEntry): boolean =>
  request.method === 'OPTIONS' &&
  request.headers.some(({ name }) => name.toLowerCase() === 'access-control-request-method');
