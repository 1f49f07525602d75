import { useEffect, useState } from 'preact/hooks';
import { control, perform, type Schemas, unwrap } from '../api/client.ts';
import type { ViewProps } from '../routes.ts';
import { useAction } from '../ui/action.ts';
import { Button, ConfirmButton } from '../ui/button.tsx';
import { ViewHead } from '../ui/card.tsx';
import { FailureNote } from '../ui/failure-note.tsx';
import { Checkbox } from '../ui/field.tsx';
import { lazily } from '../ui/lazily.tsx';
import { Empty } from '../ui/list.tsx';
import { Load } from '../ui/load.tsx';
import { Entry, LinkedEntry } from './journal/entry.tsx';
import { Filters, filterIn } from './journal/filters.tsx';
import { isPreflight, useJournal } from './journal/use-journal.ts';

const Waterfall = lazily(async () => (await import('./journal/waterfall.tsx')).Waterfall);

const streamTexts = { live: 'live', connecting: 'connecting…', lost: 'connection lost, reconnecting' };

/** The requests to this world, live: a filter, what is unfolded and the picture are all part of the address. */
export function JournalView({ rest, query, setAddress }: ViewProps) {
  const filter = filterIn(query);
  const { preflights = '', as = '' } = query;
  const [paused, setPaused] = useState(false);
  const [pointed, setPointed] = useState(false);
  const isScrolled = useScrolled();
  const { journal, stream, waiting, showWaiting } = useJournal(filter, paused || pointed || isScrolled || rest !== '');
  const download = useAction(downloadHar);
  const isShown = (entry: Schemas['JournalEntry']) =>
    preflights !== '' || filter.method === 'OPTIONS' || !isPreflight(entry);
  const count = waiting.filter(isShown).length;
  const clear = async () => {
    const message = await perform(control.DELETE('/journal'), 'Journal cleared.');
    setAddress({ rest: '' });
    return message;
  };
  const set = (changed: Record<string, string>) => setAddress({ query: { ...query, ...changed } });
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
            <Button aria-pressed={as === 'timeline'} onClick={() => set({ as: as === '' ? 'timeline' : '' })}>
              Timeline
            </Button>
            <Button aria-pressed={paused} onClick={() => setPaused(!paused)}>
              {paused ? 'Resume' : 'Pause'}
            </Button>
            <Button onClick={() => download.run()} busy={download.busy}>
              Download HAR
            </Button>
            <ConfirmButton act={clear}>Clear</ConfirmButton>
          </>
        }
      />
      <FailureNote failure={download.failure} />
      <Filters filter={filter} onChange={(next) => setAddress({ query: { preflights, as, ...next } })}>
        <Checkbox
          label="Preflights"
          checked={preflights !== ''}
          onInput={(checked) => set({ preflights: checked ? 'shown' : '' })}
        />
      </Filters>
      {count > 0 && (
        <Button
          kind="primary"
          class="button primary waiting"
          onClick={() => {
            setAddress({ rest: '' });
            showWaiting();
            window.scrollTo(0, 0);
          }}
        >
          {count} new
        </Button>
      )}
      <Load of={journal}>
        {({ total, kept, capacity, entries: all }) => {
          const entries = all.filter(isShown);
          const isListed = rest === '' || (as === '' && entries.some(({ id }) => String(id) === rest));
          return (
            <>
              {!isListed && <LinkedEntry key={rest} id={rest} onClose={() => setAddress({ rest: '' })} />}
              {entries.length === 0 ? (
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
                  {as === 'timeline' ? (
                    <Waterfall entries={entries} query={query} />
                  ) : (
                    <ol
                      class="journal surface"
                      aria-label="Requests, latest first"
                      onPointerEnter={() => setPointed(true)}
                      onPointerLeave={() => setPointed(false)}
                    >
                      {entries.map((entry) => (
                        <Entry
                          key={entry.id}
                          entry={entry}
                          isOpen={String(entry.id) === rest}
                          onToggle={(open) => setAddress({ rest: open ? String(entry.id) : '' })}
                        />
                      ))}
                    </ol>
                  )}
                </>
              )}
            </>
          );
        }}
      </Load>
    </>
  );
}

/** Is the beginning of the page out of sight? */
function useScrolled(): boolean {
  const [scrolled, setScrolled] = useState(false);
  useEffect(() => {
    const look = () => setScrolled(window.scrollY > 150);
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, []);
  return scrolled;
}

/** Downloads with fetch: a plain link cannot send the control token. */
async function downloadHar(): Promise<void> {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await unwrap(control.GET('/journal/har', { parseAs: 'blob' })));
  link.download = 'platform-mock.har';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
