import { addressOf, type Query } from '../address.ts';
import type { Schemas } from '../api/client.ts';
import { Card } from '../ui/parts.tsx';
import { counted, formatTime, shortDuration } from '../ui/text.ts';
import { statusKind } from './journal-entry.tsx';

type JournalEntry = Schemas['JournalEntry'];

const startOf = ({ startedAt }: JournalEntry): number => Date.parse(startedAt);
const endOf = (entry: JournalEntry): number => startOf(entry) + entry.milliseconds;

/** A pause between requests after which another picture begins, in milliseconds: people acted in between. */
const pause = 1000;

/** Requests that follow each other closely, each list in the order of their start; the latest list first. */
function bursts(entries: readonly JournalEntry[]): JournalEntry[][] {
  const found: JournalEntry[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const entry of entries.toReversed()) {
    if (startOf(entry) > end + pause) found.push([]);
    found.at(-1)?.push(entry);
    end = Math.max(end, endOf(entry));
  }
  return found.reverse();
}

/** When requests were sent and how long each took: what waited for what, and what ran side by side. */
export const Timeline = ({ entries, query }: { entries: readonly JournalEntry[]; readonly query: Query }) => (
  <>
    {bursts(entries).map((burst) => (
      <Burst key={burst[0]?.id} burst={burst} query={query} />
    ))}
  </>
);

function Burst({ burst, query }: { readonly burst: readonly JournalEntry[]; readonly query: Query }) {
  const from = Math.min(...burst.map(startOf));
  // A single quick request still has a width.
  const length = Math.max(1, ...burst.map((entry) => endOf(entry) - from));
  const part = (milliseconds: number) => (100 * milliseconds) / length;
  return (
    <Card
      title={formatTime(new Date(from).toISOString())}
      hint={`${counted(burst.length, 'request')} in ${shortDuration(length)}`}
    >
      <ol class="waterfall" aria-label="Requests by time">
        {burst.map((entry) => (
          <li key={entry.id}>
            <a class="small" href={addressOf({ name: 'journal', rest: String(entry.id), query })}>
              <code class="url" title={entry.request.url}>
                {entry.request.method} {entry.request.url}
              </code>
              <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                <rect
                  class={statusKind(entry.response)}
                  x={Math.min(part(startOf(entry) - from), 99.5)}
                  width={Math.max(part(entry.milliseconds), 0.5)}
                  height="10"
                />
              </svg>
              <span class="muted when">
                {entry.response?.status ?? entry.outcome} · {shortDuration(entry.milliseconds)}
              </span>
            </a>
          </li>
        ))}
      </ol>
    </Card>
  );
}
