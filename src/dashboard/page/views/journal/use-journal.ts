import { useEffect, useRef, useState } from 'preact/hooks';
import { control, unwrap } from '../../api/client.ts';
import { followJournal, type StreamState } from '../../api/events.ts';
import { useLoad } from '../../api/load.ts';
import type { JournalFilter } from './filters.tsx';

/** The journal is fetched at most this often, however fast requests arrive. */
const throttleMilliseconds = 250;

/**
 * The entries that match, latest first, kept current by the server's events. An event only says that there is a new
 * entry: the server decides what matches, so the journal is fetched again.
 */
export function useJournal(filter: JournalFilter, paused: boolean) {
  const [stream, setStream] = useState<StreamState>('connecting');
  const journal = useLoad(
    () => unwrap(control.GET('/journal', { params: { query: { limit: 100, ...filter } } })),
    [JSON.stringify(filter)],
  );
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    if (paused) return;
    const stop = new AbortController();
    const onEntry = () => {
      timer.current ??= setTimeout(() => {
        timer.current = undefined;
        void journal.reload();
      }, throttleMilliseconds);
    };
    void followJournal(stop.signal, onEntry, setStream);
    return () => {
      stop.abort();
      clearTimeout(timer.current);
      timer.current = undefined;
    };
  }, [paused]);
  return { journal, stream };
}
