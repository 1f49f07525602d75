import { controlUrl } from './place.ts';
import { credentials } from './token.ts';

export type StreamState = 'connecting' | 'live' | 'lost';

/**
 * Follows the journal's server-sent events until aborted, and comes back after a second when the stream breaks.
 * EventSource would do but for the control token: it cannot send a header.
 */
export async function followJournal(
  signal: AbortSignal,
  onEntry: () => void,
  onState: (state: StreamState) => void,
): Promise<void> {
  while (!signal.aborted) {
    onState('connecting');
    try {
      const response = await fetch(new URL('journal/events', controlUrl), { signal, headers: credentials() });
      if (!response.ok || !response.body) throw new Error(`status ${response.status}`);
      onState('live');
      // What came while nobody listened is fetched with the rest.
      onEntry();
      await readEvents(response.body, onEntry);
    } catch {
      // Told by the state below; the loop tries again.
    }
    if (signal.aborted) return;
    onState('lost');
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

/** Calls back for each event; comments, which keep the connection open, are none. */
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
