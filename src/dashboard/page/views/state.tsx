import { useState } from 'preact/hooks';
import { control, unwrap } from '../api/client.ts';
import { useRequests } from '../api/events.ts';
import { useLoad } from '../api/load.ts';
import { useWorld } from '../api/world.tsx';
import type { ViewProps } from '../routes.ts';
import { Button } from '../ui/button.tsx';
import { ViewHead } from '../ui/card.tsx';
import { FailureNote } from '../ui/failure-note.tsx';
import { Field } from '../ui/field.tsx';
import { Empty } from '../ui/list.tsx';
import { Load } from '../ui/load.tsx';
import { Editor } from './state/editor.tsx';
import { isResource, type RecordData, type Resource, resourceNames, resources } from './state/resources.ts';
import { RecordTable } from './state/table.tsx';

const pageSize = 25;

/** Every record of the world, by kind: to find, edit, add and delete. What is open and searched for is the address. */
export function StateView({ rest, query, setAddress }: ViewProps) {
  const [kind = '', ...id] = rest.split('/');
  const resource = kind === '' ? 'recordings' : kind;
  const { data: info } = useWorld();
  const counts = useLoad(() => unwrap(control.GET('/state')), [info]);
  useRequests(counts.reload);
  return (
    <>
      <ViewHead
        title="State"
        hint="Every record of this world. An edit that would violate the API's spec is rejected."
      />
      <nav class="row tabs" aria-label="Kinds of record">
        {resourceNames.map((name) => (
          <a key={name} href={`#/state/${name}`} aria-current={name === resource ? 'true' : undefined}>
            {resources[name].title} <span class="muted">{counts.data?.[name] ?? ''}</span>
          </a>
        ))}
      </nav>
      {isResource(resource) ? (
        <Records
          key={resource}
          resource={resource}
          id={id.join('/')}
          q={query.q ?? ''}
          onSearch={(q) => setAddress({ query: { q } })}
          onOpen={(opened) => setAddress({ rest: `${resource}/${opened}` })}
          onClose={(closed) => setAddress({ rest: resource }, `${resource}/${closed}`)}
        />
      ) : (
        <Empty>{`There are no records of the kind ${resource}.`}</Empty>
      )}
    </>
  );
}

interface RecordsProps {
  readonly resource: Resource;
  /** Of the record that is open; empty: none is. */
  readonly id: string;
  readonly q: string;
  readonly onSearch: (q: string) => void;
  readonly onOpen: (id: string) => void;
  readonly onClose: (id: string) => void;
}

function Records({ resource, id, q, onSearch, onOpen, onClose }: RecordsProps) {
  const [offset, setOffset] = useState(0);
  const [adding, setAdding] = useState(false);
  const query = { limit: pageSize, offset, ...(q.trim() !== '' && { q: q.trim() }) };
  // Requests to the API are followed; what other clients of the control plane change is seen when the info is refreshed.
  const { data: info } = useWorld();
  const page = useLoad(
    () => unwrap(control.GET('/state/{resource}', { params: { path: { resource }, query } })),
    [q, offset, info],
  );
  useRequests(page.reload);
  const { title, one, canAdd } = resources[resource];
  return (
    <>
      <search class="row fields">
        <Field
          label={`Filter ${title.toLowerCase()}`}
          kind="search"
          value={q}
          onInput={(text) => {
            onSearch(text);
            setOffset(0);
          }}
          placeholder="text in any field"
        />
        {canAdd && (
          <Button kind="primary" onClick={() => setAdding(true)}>
            Add a {one}
          </Button>
        )}
      </search>
      {id !== '' && <OpenRecord key={id} resource={resource} id={id} onClose={() => onClose(id)} />}
      <Load of={page}>
        {({ total, items }) => (
          <>
            {items.length === 0 ? (
              <Empty>{q ? 'No records match.' : `There are no ${title.toLowerCase()}.`}</Empty>
            ) : (
              <RecordTable
                kind={resources[resource]}
                records={items as RecordData[]}
                onOpen={(record) => onOpen(record.id)}
              />
            )}
            {total > items.length && (
              <div class="row">
                <Button disabled={offset === 0} onClick={() => setOffset(Math.max(0, offset - pageSize))}>
                  ← Previous
                </Button>
                <span class="muted">
                  {offset + 1}–{offset + items.length} of {total}
                </span>
                <Button disabled={offset + items.length >= total} onClick={() => setOffset(offset + items.length)}>
                  Next →
                </Button>
              </div>
            )}
          </>
        )}
      </Load>
      {adding && <Editor resource={resource} record={undefined} onClose={() => setAdding(false)} />}
    </>
  );
}

interface OpenRecordProps extends Pick<RecordsProps, 'resource' | 'id'> {
  readonly onClose: () => void;
}

/** The record that the address names, in its editor; why there is none, where there is none. */
function OpenRecord({ resource, id, onClose }: OpenRecordProps) {
  const record = useLoad(() =>
    unwrap(control.GET('/state/{resource}/{record}', { params: { path: { resource, record: id } } })),
  );
  if (!record.data) return <FailureNote failure={record.failure} />;
  return <Editor resource={resource} record={record.data as unknown as RecordData} onClose={onClose} />;
}
