import { type ComponentChildren, createContext, h } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { entriesIn } from '../../../doors/calls/events.ts';
import { control, type Schemas, unwrap } from './client.ts';
import { type Failure, toFailure } from './failure.ts';

/** Data that is fetched: pending, loaded or failed. Loaded data stays while it is fetched again. */
export interface Loaded<T> {
  readonly data: T | undefined;
  readonly failure: Failure | undefined;
}

const reloads = new Set<() => Promise<void>>();

export const reloadAll = () => Promise.all([...reloads].map((reload) => reload()));

/** Fetches on mount, when one of `inputs` changes, and when the page is brought up to date; the latest response counts. */
export function useLoad<T>(load: () => Promise<T>, inputs: readonly unknown[] = []): Loaded<T> {
  const [data, setData] = useState<T>();
  const [failure, setFailure] = useState<Failure>();
  useEffect(() => {
    let latest = 0;
    const reload = async () => {
      latest += 1;
      const mine = latest;
      try {
        const loaded = await load();
        if (mine !== latest) return;
        setData(loaded);
        setFailure(undefined);
      } catch (error) {
        if (mine === latest) setFailure(toFailure(error));
      }
    };
    void reload();
    reloads.add(reload);
    return () => {
      reloads.delete(reload);
      latest += 1;
    };
  }, inputs);
  return { data, failure };
}

type StreamState = 'connecting' | 'live' | 'lost';

/** The page is reloaded at most this often, however fast requests arrive. */
const throttleMilliseconds = 250;
/** What other clients of the control plane change is no event. */
const refreshMilliseconds = 5000;

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Keeps the page current, after requests to its world and every few seconds; returns the state of the connection. */
function useLive(isAllowed: boolean): StreamState {
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

/** Follows the journal's server-sent events until aborted, and reconnects one second after the stream breaks. */
async function follow(signal: AbortSignal, onState: (state: StreamState) => void, onEvent: () => void): Promise<void> {
  while (!signal.aborted) {
    onState('connecting');
    try {
      const { data } = await control.GET('/journal/events', { parseAs: 'stream', signal });
      onState('live');
      // Changes missed while disconnected.
      onEvent();
      if (data) for await (const _entry of entriesIn(data, new Promise(() => {}))) onEvent();
    } catch {
      // The state below reports it, and the loop reconnects.
    }
    if (signal.aborted) return;
    onState('lost');
    await wait(1000);
  }
}

interface WorldInfo extends Loaded<Schemas['Info']> {
  readonly stream: StreamState;
}

const World = createContext<WorldInfo>({ data: undefined, failure: undefined, stream: 'connecting' });

export function WorldProvider({ children }: { readonly children: ComponentChildren }) {
  const info = useLoad(() => unwrap(control.GET('/info')));
  const stream = useLive((info.data ?? info.failure) !== undefined && info.failure?.status !== 403);
  return h(World.Provider, { value: { ...info, stream } }, children);
}

export const useWorld = (): WorldInfo => useContext(World);
