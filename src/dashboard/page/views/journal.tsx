import { useState } from 'preact/hooks';
import { control, perform, unwrap } from '../api/client.ts';
import type { ViewProps } from '../routes.ts';
import { useAction } from '../ui/action.ts';
import { Button, ConfirmButton } from '../ui/button.tsx';
import { ViewHead } from '../ui/card.tsx';
import { FailureNote } from '../ui/failure-note.tsx';
import { Empty } from '../ui/list.tsx';
import { Load } from '../ui/load.tsx';
import { Entry } from './journal/entry.tsx';
import { Filters, type JournalFilter } from './journal/filters.tsx';
import { useJournal } from './journal/use-journal.ts';

const streamTexts = { live: 'live', connecting: 'connecting…', lost: 'connection lost, reconnecting' };

/** The requests to this world, live. */
export function JournalView(_props: ViewProps) {
  const [filter, setFilter] = useState<JournalFilter>({});
  const [paused, setPaused] = useState(false);
  const { journal, stream } = useJournal(filter, paused);
  const download = useAction(downloadHar);
  return (
    <>
      <ViewHead
        title="Journal"
        hint="Every request to this world, and how its response was decided."
        actions={
          <>
            <span class={`badge ${stream === 'live' && !paused ? 'good' : 'warn'}`} role="status">
              {paused ? 'paused' : streamTexts[stream]}
            </span>
            <Button aria-pressed={paused} onClick={() => setPaused(!paused)}>
              {paused ? 'Resume' : 'Pause'}
            </Button>
            <Button onClick={() => download.run()} busy={download.busy}>
              Download HAR
            </Button>
            <ConfirmButton act={() => perform(control.DELETE('/journal'), 'Journal cleared.')}>Clear</ConfirmButton>
          </>
        }
      />
      <FailureNote failure={download.failure} />
      <Filters filter={filter} onChange={setFilter} />
      <Load of={journal}>
        {({ total, kept, capacity, entries }) =>
          entries.length === 0 ? (
            <Empty>
              {Object.keys(filter).length > 0
                ? 'No requests match.'
                : 'No requests yet. Requests to the base URL appear here as they arrive.'}
            </Empty>
          ) : (
            <>
              <p class="muted">
                The latest {entries.length} that match · {total} requests, {kept} kept, at most {capacity}
              </p>
              <ol class="journal surface" aria-label="Requests, latest first">
                {entries.map((entry) => (
                  <Entry key={entry.id} entry={entry} />
                ))}
              </ol>
            </>
          )
        }
      </Load>
    </>
  );
}

/** Downloads with fetch: a plain link cannot send the control token. */
async function downloadHar(): Promise<void> {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await unwrap(control.GET('/journal/har', { parseAs: 'blob' })));
  link.download = 'platform-mock.har';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
