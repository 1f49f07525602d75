import { useEffect, useRef, useState } from 'preact/hooks';
import { control, told } from '../../api/client.ts';
import { followJournal, type StreamState } from '../../api/events.ts';
import { useLoad } from '../../api/hooks.ts';
import type { JournalFilter } from './filters.tsx';

/** Fetched at most so often, however fast requests come. */
const restMilliseconds = 250;

/**
 * The entries that match, the latest first, kept up with the server's events. An event only says that there is something
 * new: what matches is for the server to say, and it is asked again.
 */
export function useJournal(filter: JournalFilter, paused: boolean) {
  const [stream, setStream] = useState<StreamState>('connecting');
  const journal = useLoad(
    () => told(control.GET('/journal', { params: { query: { limit: 100, ...filter } } })),
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
      }, restMilliseconds);
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
