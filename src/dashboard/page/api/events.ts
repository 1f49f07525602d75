import { authorization } from './control-token.ts';
import { controlUrl } from './location.ts';

export type StreamState = 'connecting' | 'live' | 'lost';

/**
 * Follows the journal's server-sent events until aborted, and reconnects one second after the stream breaks.
 * EventSource cannot be used: it cannot send the control token's header.
 */
export async function followJournal(
  signal: AbortSignal,
  onEntry: () => void,
  onState: (state: StreamState) => void,
): Promise<void> {
  while (!signal.aborted) {
    onState('connecting');
    try {
      const response = await fetch(new URL('journal/events', controlUrl), { signal, headers: authorization() });
      if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
      onState('live');
      // Fetches the entries that were missed while disconnected.
      onEntry();
      await readEvents(response.body, onEntry);
    } catch {
      // The state below reports it, and the loop reconnects.
    }
    if (signal.aborted) return;
    onState('lost');
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

/** Calls back for each event, but not for the comments that keep the connection open. */
async function readEvents(body: ReadableStream<Uint8Array>, onEntry: () => void): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    if (blocks.some((block) => /^data:/m.test(block))) onEntry();
  }
}
