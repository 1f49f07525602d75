import { useEffect, useRef, useState } from 'preact/hooks';
import { authorization } from './control-token.ts';
import { controlUrl } from './location.ts';

export type StreamState = 'connecting' | 'live' | 'lost';

/** What a view that follows the requests is told. */
interface Follower {
  readonly onRequest: () => void;
  readonly onState: (state: StreamState) => void;
}

// One connection for the whole page: browsers allow only six to a server.
const followers = new Set<Follower>();
let connection: AbortController | undefined;
let state: StreamState = 'connecting';

function tell(next: StreamState): void {
  state = next;
  for (const { onState } of followers) onState(state);
}

function follow(follower: Follower): () => void {
  followers.add(follower);
  follower.onState(state);
  if (!connection) {
    connection = new AbortController();
    void connect(connection.signal);
  }
  return () => {
    followers.delete(follower);
    if (followers.size > 0) return;
    connection?.abort();
    connection = undefined;
    state = 'connecting';
  };
}

/**
 * Follows the journal's server-sent events until aborted, and reconnects one second after the stream breaks.
 * EventSource cannot be used: it cannot send the control token's header.
 */
async function connect(signal: AbortSignal): Promise<void> {
  const onRequest = () => {
    for (const follower of followers) follower.onRequest();
  };
  while (!signal.aborted) {
    tell('connecting');
    try {
      const response = await fetch(new URL('journal/events', controlUrl), { signal, headers: authorization() });
      if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
      tell('live');
      // What was missed while disconnected.
      onRequest();
      await readEvents(response.body, onRequest);
    } catch {
      // The state below reports it, and the loop reconnects.
    }
    if (signal.aborted) return;
    tell('lost');
    await new Promise((resolve) => setTimeout(resolve, 1000));
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

/** Requests are reported at most this often, however fast they arrive. */
const throttleMilliseconds = 250;

/** Calls back soon after requests to this world. Returns the state of the connection. */
export function useRequests(onRequests: () => unknown): StreamState {
  const [shown, setShown] = useState<StreamState>('connecting');
  const latest = useRef(onRequests);
  latest.current = onRequests;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onRequest = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        latest.current();
      }, throttleMilliseconds);
    };
    const leave = follow({ onRequest, onState: setShown });
    return () => {
      leave();
      clearTimeout(timer);
    };
  }, []);
  return shown;
}
