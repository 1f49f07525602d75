import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { authorization, controlUrl } from './client.ts';
import { type Failure, toFailure } from './failure.ts';

/** Data that is fetched: pending, loaded or failed. Loaded data stays while it is fetched again. */
export interface Loaded<T> {
  readonly data: T | undefined;
  readonly failure: Failure | undefined;
}

const reloads = new Set<() => Promise<void>>();

/** Fetches everything again that the page shows. */
export const reloadAll = () => Promise.all([...reloads].map((reload) => reload()));

/** Fetches on mount, when one of `inputs` changes, and when the page is brought up to date; the latest response counts. */
export function useLoad<T>(load: () => Promise<T>, inputs: readonly unknown[] = []): Loaded<T> {
  const [data, setData] = useState<T>();
  const [failure, setFailure] = useState<Failure>();
  const latest = useRef(0);
  const current = useRef(load);
  current.current = load;
  const reload = useCallback(async () => {
    latest.current += 1;
    const mine = latest.current;
    try {
      const loaded = await current.current();
      if (mine !== latest.current) return;
      setData(loaded);
      setFailure(undefined);
    } catch (error) {
      if (mine === latest.current) setFailure(toFailure(error));
    }
  }, []);
  useEffect(() => {
    void reload();
    reloads.add(reload);
    return () => {
      reloads.delete(reload);
      latest.current += 1;
    };
  }, inputs);
  return { data, failure };
}

export type StreamState = 'connecting' | 'live' | 'lost';

/** The page is reloaded at most this often, however fast requests arrive. */
const throttleMilliseconds = 250;
/** What other clients of the control plane change is no event. */
const refreshMilliseconds = 5000;

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Keeps the page current, after requests to its world and every few seconds; returns the state of the connection. */
export function useLive(isAllowed: boolean): StreamState {
  const [state, setState] = useState<StreamState>('connecting');
  useEffect(() => {
    if (!isAllowed) return;
    const stop = new AbortController();
    const refresh = throttled(reloadAll);
    const timer = setInterval(() => document.visibilityState === 'visible' && refresh(), refreshMilliseconds);
    void follow(stop.signal, setState, refresh);
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, [isAllowed]);
  return state;
}

/** Runs `act` after each call, never twice at a time: a slow server must get to answer. */
function throttled(act: () => Promise<unknown>): () => Promise<void> {
  let wanted = false;
  let running = false;
  return async () => {
    wanted = true;
    if (running) return;
    running = true;
    while (wanted) {
      wanted = false;
      await act();
      await wait(throttleMilliseconds);
    }
    running = false;
  };
}

/**
 * Follows the journal's server-sent events until aborted, and reconnects one second after the stream breaks.
 * EventSource cannot be used: it cannot send the control token's header.
 */
async function follow(signal: AbortSignal, onState: (state: StreamState) => void, onEvent: () => void): Promise<void> {
  while (!signal.aborted) {
    onState('connecting');
    try {
      const response = await fetch(new URL('journal/events', controlUrl), { signal, headers: authorization() });
      if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
      onState('live');
      // Changes missed while disconnected.
      onEvent();
      await readEvents(response.body, onEvent);
    } catch {
      // The state below reports it, and the loop reconnects.
    }
    if (signal.aborted) return;
    onState('lost');
    await wait(1000);
  }
}

/** Calls back for each event, but not for the comments that keep the connection open. */
async function readEvents(body: ReadableStream<Uint8Array>, onEvent: () => void): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    if (blocks.some((block) => /^data:/m.test(block))) onEvent();
  }
}
