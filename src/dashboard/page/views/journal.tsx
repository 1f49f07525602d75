import { useState } from 'preact/hooks';
import { control, type Schemas, told } from '../api/client.ts';
import { failureOf } from '../api/failure.ts';
import { useAction } from '../api/hooks.ts';
import { controlUrl } from '../api/place.ts';
import { credentials } from '../api/token.ts';
import type { ViewProps } from '../routes.ts';
import { useAnnounce } from '../ui/announce.tsx';
import { Button, ConfirmButton } from '../ui/button.tsx';
import { ViewHead } from '../ui/card.tsx';
import { FailureNote } from '../ui/failure-note.tsx';
import { Empty, Load } from '../ui/load.tsx';
import { Entry } from './journal/entry.tsx';
import { Filters, type JournalFilter } from './journal/filters.tsx';
import { useJournal } from './journal/use-journal.ts';

/** What happened in this world, live. */
export function JournalView(_props: ViewProps) {
  const announce = useAnnounce();
  const [filter, setFilter] = useState<JournalFilter>({});
  const [paused, setPaused] = useState(false);
  const { journal, stream } = useJournal(filter, paused);
  const clear = useAction(async () => {
    await told(control.DELETE('/journal'));
    await journal.reload();
    announce('The journal is empty.');
  });
  const har = useAction(downloadHar);
  return (
    <>
      <ViewHead
        title="Journal"
        actions={
          <>
            <span class={`badge ${stream === 'live' && !paused ? 'good' : 'warn'}`} role="status">
              {paused
                ? 'paused'
                : { live: 'live', connecting: 'connecting…', lost: 'connection lost, trying again' }[stream]}
            </span>
            <Button pressed={paused} onClick={() => setPaused(!paused)}>
              {paused ? 'Go on' : 'Pause'}
            </Button>
            <Button onClick={har.run} busy={har.busy}>
              Download HAR
            </Button>
            <ConfirmButton onConfirm={clear.run} question="Really clear it?">
              Clear
            </ConfirmButton>
          </>
        }
      >
        Every request of this world, and how its answer came about.
      </ViewHead>
      <FailureNote failure={clear.failure ?? har.failure} />
      <Filters filter={filter} onChange={setFilter} />
      <Load of={journal}>{(found) => <Entries found={found} isFiltered={Object.keys(filter).length > 0} />}</Load>
    </>
  );
}

interface Found {
  readonly total: number;
  readonly kept: number;
  readonly capacity: number;
  readonly entries: readonly Schemas['JournalEntry'][];
}

function Entries({
  found: { total, kept, capacity, entries },
  isFiltered,
}: {
  readonly found: Found;
  readonly isFiltered: boolean;
}) {
  if (entries.length === 0)
    return (
      <Empty>
        {isFiltered
          ? 'No request matches.'
          : 'Nothing yet. Send a request to the base URL, and it shows up here by itself.'}
      </Empty>
    );
  return (
    <>
      <p class="muted">
        The latest {entries.length} that match · {total} requests, {kept} kept, {capacity} at the most
      </p>
      <ol class="journal" aria-label="Requests, the latest first">
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ol>
    </>
  );
}

/** Through fetch and not by a plain link, which could not carry the control token. */
async function downloadHar(): Promise<void> {
  const response = await fetch(new URL('journal/har', controlUrl), { headers: credentials() });
  if (!response.ok) throw failureOf(response.status, await response.json().catch(() => undefined));
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await response.blob());
  link.download = 'platform-mock.har';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
