import { addressOf, type Query } from '../address.ts';
import type { Schemas } from '../api/client.ts';
import { Card } from '../ui/parts.tsx';
import { counted, formatTime, shortDuration } from '../ui/text.ts';
import { statusKind } from './journal-entry.tsx';

type JournalEntry = Schemas['JournalEntry'];

interface Timed {
  readonly entry: JournalEntry;
  readonly start: number;
  readonly end: number;
}

/** A pause between requests after which another picture begins, in milliseconds: people acted in between. */
const pause = 1000;

/** Requests that follow each other closely, each list in the order of their start; the latest list first. */
function bursts(entries: readonly JournalEntry[]): Timed[][] {
  const found: Timed[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const entry of entries.toReversed()) {
    const start = Date.parse(entry.startedAt);
    const timed = { entry, start, end: start + entry.milliseconds };
    if (start > end + pause) found.push([]);
    found.at(-1)?.push(timed);
    end = Math.max(end, timed.end);
  }
  return found.reverse();
}

/** When requests were sent and how long each took: what waited for what, and what ran side by side. */
export const Timeline = ({ entries, query }: { entries: readonly JournalEntry[]; readonly query: Query }) => (
  <>
    {bursts(entries).map((burst) => (
      <Burst key={burst[0]?.entry.id} burst={burst} query={query} />
    ))}
  </>
);

function Burst({ burst, query }: { readonly burst: readonly Timed[]; readonly query: Query }) {
  const from = burst[0]?.start ?? 0;
  // A single quick request still has a width.
  const length = Math.max(1, ...burst.map(({ end }) => end - from));
  const part = (milliseconds: number) => (100 * milliseconds) / length;
  return (
    <Card
      title={formatTime(new Date(from).toISOString())}
      hint={`${counted(burst.length, 'request')} in ${shortDuration(length)}`}
    >
      <ol class="waterfall" aria-label="Requests by time">
        {burst.map(({ entry: { id, request, response, outcome, milliseconds }, start, end }) => (
          <li key={id}>
            <a class="small" href={addressOf({ name: 'journal', rest: String(id), query })}>
              <code class="url" title={request.url}>
                {request.method} {request.url}
              </code>
              <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                <rect
                  class={statusKind(response)}
                  x={Math.min(part(start - from), 99.5)}
                  width={Math.max(part(end - start), 0.5)}
                  height="10"
                />
              </svg>
              <span class="muted when">
                {response?.status ?? outcome} · {shortDuration(milliseconds)}
              </span>
            </a>
          </li>
        ))}
      </ol>
    </Card>
  );
}
