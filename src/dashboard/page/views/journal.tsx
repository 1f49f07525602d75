import { useRef, useState } from 'preact/hooks';
import type { Query, ViewProps } from '../address.ts';
import { control, type Schemas, unwrap } from '../api/client.ts';
import { call, type InputOf } from '../api/document.ts';
import { useLoad, useWorld } from '../api/load.ts';
import { ActButton, Button } from '../ui/button.tsx';
import { operationFields } from '../ui/fields.ts';
import { Check, Filters } from '../ui/form.tsx';
import { Empty, Load, View } from '../ui/parts.tsx';
import { counted } from '../ui/text.ts';
import { Entry, LinkedEntry } from './journal-entry.tsx';
import { Timeline } from './journal-timeline.tsx';

type JournalEntry = Schemas['JournalEntry'];
type Filter = Pick<InputOf<'queryJournal'>, 'method' | 'path' | 'status' | 'operation' | 'user' | 'gap' | 'fault'>;

const filterNames = ['path', 'method', 'status', 'operation', 'user', 'gap', 'fault'] satisfies (keyof Filter)[];

/** The filter that an address names. The server rejects what is not possible. */
const filterIn = (query: Query): Filter =>
  Object.fromEntries(filterNames.flatMap((name) => (query[name]?.trim() ? [[name, query[name].trim()]] : [])));

const streamTexts = { live: 'live', connecting: 'connecting…', lost: 'connection lost, reconnecting' };

/** The requests to this world, live: a filter, what is unfolded and the picture are all part of the address. */
export function JournalView({ rest, query, setAddress }: ViewProps) {
  const filter = filterIn(query);
  const { preflights = '', as = '' } = query;
  const { stream } = useWorld();
  const [paused, setPaused] = useState(false);
  const [wanted, setWanted] = useState(pageSize);
  const { journal, waiting, showWaiting } = useJournal(filter, wanted, paused || rest !== '');
  const { data } = journal;
  const seen = useSuggestions(data?.entries);
  const isShown = (entry: JournalEntry) => preflights !== '' || filter.method === 'OPTIONS' || !isPreflight(entry);
  const count = waiting.filter(isShown).length;
  const hidden = data ? data.entries.length - data.entries.filter(isShown).length : 0;
  const clear = async () => {
    await call('clearJournal', {});
    setAddress({ rest: '' });
    return 'Journal cleared.';
  };
  const set = (changed: Query) => setAddress({ query: { ...query, ...changed } });
  return (
    <View
      title="Journal"
      hint="Every request to this world, and how its response was decided."
      actions={
        <>
          <span class={`badge ${stream === 'live' && !paused ? 'good' : 'warn'}`} role="status">
            {paused ? 'paused' : streamTexts[stream]}
          </span>
          <Button
            text="Timeline"
            aria-pressed={as === 'timeline'}
            onClick={() => set({ as: as === '' ? 'timeline' : '' })}
          />
          <Button text={paused ? 'Resume' : 'Pause'} aria-pressed={paused} onClick={() => setPaused(!paused)} />
          <ActButton
            text="Download HAR"
            title="Send it again elsewhere: platform-mock replay platform-mock.har --target FILE"
            act={downloadHar}
          />
          <ActButton text="Clear" asks act={clear} />
        </>
      }
    >
      {count > 0 && (
        <Button
          text={`${count} new`}
          class="button primary waiting"
          onClick={() => {
            setAddress({ rest: '' });
            showWaiting();
            window.scrollTo(0, 0);
          }}
        />
      )}
      <Filters
        fields={operationFields('queryJournal', {
          path: { kind: 'search', placeholder: '/recordings/', options: seen('path') },
          method: { blank: 'any' },
          status: { kind: 'choice', options: ['2xx', '3xx', '4xx', '5xx'], blank: 'any' },
          user: { kind: 'search', options: seen('user') },
          gap: { kind: 'search', options: seen('gap') },
          fault: { kind: 'search', options: seen('fault') },
        })}
        values={query}
        onChange={set}
        shown={
          data && (
            <>
              The latest {data.entries.length - hidden} that match
              {hidden > 0 && ` · ${counted(hidden, 'preflight')} hidden`} · {data.total} requests, {data.kept} kept, at
              most {data.capacity}
            </>
          )
        }
      >
        <Check
          text="Preflights"
          checked={preflights !== ''}
          onChange={(isOn) => set({ preflights: isOn ? 'shown' : '' })}
        />
      </Filters>
      <Load of={journal}>
        {({ entries: all, next }) => {
          const entries = all.filter(isShown);
          const isListed = rest === '' || (as === '' && entries.some(({ id }) => String(id) === rest));
          return (
            <>
              {!isListed && <LinkedEntry key={rest} id={rest} onClose={() => setAddress({ rest: '' })} />}
              {entries.length === 0 && (
                <Empty>
                  {Object.keys(filter).length > 0
                    ? 'No requests match.'
                    : 'No requests yet. Requests to the base URL appear here as they arrive.'}
                </Empty>
              )}
              {as === 'timeline' ? (
                <Timeline entries={entries} query={query} />
              ) : (
                <ol class="journal surface" hidden={entries.length === 0} aria-label="Requests, latest first">
                  {entries.map((entry) => (
                    <Entry
                      key={entry.id}
                      entry={entry}
                      isOpen={String(entry.id) === rest}
                      onToggle={(open) =>
                        setAddress({ rest: open ? String(entry.id) : '' }, open ? undefined : `${entry.id}`)
                      }
                    />
                  ))}
                </ol>
              )}
              {next !== undefined && <Button text="Show more" onClick={() => setWanted(wanted + pageSize)} />}
            </>
          );
        }}
      </Load>
    </View>
  );
}

/** Filter -> the values of a request by which it is found. */
const suggested = {
  path: ({ request }) => [request.url.replace(/\?.*/, '')],
  user: ({ actor }) => (actor ? [actor.user] : []),
  gap: ({ trace }) => trace.gaps.map(({ id }) => id),
  fault: ({ trace }) => trace.faults,
} satisfies Readonly<Record<string, (entry: JournalEntry) => readonly string[]>>;

/** Suggests what the requests listed so far have: a value that is only half typed hides them. */
function useSuggestions(entries: readonly JournalEntry[] = []): (filter: keyof typeof suggested) => string[] {
  const seen = useRef<Record<string, Set<string>>>({}).current;
  return (filter) => {
    seen[filter] ??= new Set();
    for (const value of entries.flatMap<string>(suggested[filter])) seen[filter].add(value);
    return [...seen[filter]].sort();
  };
}

const pageSize = 200;

/** The matching entries, latest first; the server decides what matches. While the user reads, new ones are only counted. */
function useJournal(filter: Filter, wanted: number, isRead: boolean) {
  const key = JSON.stringify([filter, wanted]);
  const journal = useLoad(async () => {
    const entries: JournalEntry[] = [];
    for (let before: number | undefined; ; ) {
      const page = await call('queryJournal', { ...filter, before, limit: wanted - entries.length });
      entries.push(...page.entries);
      before = page.next;
      if (before === undefined || entries.length >= wanted) return { ...page, entries, key };
    }
  }, [key]);
  const [, redraw] = useState({});
  const shown = useRef(journal.data);
  const latest = journal.data;
  const isOther = shown.current?.key !== latest?.key || (latest?.total ?? 0) < (shown.current?.total ?? 0);
  if (!isRead || isOther) shown.current = latest;
  const [newest] = shown.current?.entries ?? [];
  const isNew = ({ id }: JournalEntry) => id > (newest?.id ?? 0);
  return {
    journal: { ...journal, data: shown.current },
    waiting: (latest?.entries ?? []).filter(isNew),
    showWaiting: () => {
      shown.current = latest;
      redraw({});
    },
  };
}

/** A browser's question whether it may send the request that follows. */
const isPreflight = ({ request }: JournalEntry): boolean =>
  request.method === 'OPTIONS' &&
  request.headers.some(({ name }) => name.toLowerCase() === 'access-control-request-method');

/** Downloads with fetch: a plain link cannot send the control token. */
async function downloadHar(): Promise<void> {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await unwrap(control.GET('/journal/har', { parseAs: 'blob' })));
  link.download = 'platform-mock.har';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
