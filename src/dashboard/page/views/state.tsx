import { useState } from 'preact/hooks';
import { control, unwrap } from '../api/client.ts';
import { useLoad } from '../api/load.ts';
import type { ViewProps } from '../routes.ts';
import { Button } from '../ui/button.tsx';
import { ViewHead } from '../ui/card.tsx';
import { Field } from '../ui/field.tsx';
import { Empty } from '../ui/list.tsx';
import { Load } from '../ui/load.tsx';
import { Editor } from './state/editor.tsx';
import { isResource, type RecordData, type Resource, resourceNames, resources } from './state/resources.ts';
import { RecordTable } from './state/table.tsx';

const pageSize = 25;

/** Every record of the world, by kind: to find, edit, add and delete. */
export function StateView({ rest }: ViewProps) {
  const resource = isResource(rest) ? rest : 'recordings';
  const counts = useLoad(() => unwrap(control.GET('/state')));
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
      <Records key={resource} resource={resource} />
    </>
  );
}

function Records({ resource }: { readonly resource: Resource }) {
  const [q, setQ] = useState('');
  const [offset, setOffset] = useState(0);
  const [edited, setEdited] = useState<RecordData | 'new'>();
  const query = { limit: pageSize, offset, ...(q.trim() !== '' && { q: q.trim() }) };
  const page = useLoad(
    () => unwrap(control.GET('/state/{resource}', { params: { path: { resource }, query } })),
    [q, offset],
  );
  const { title, one, canAdd } = resources[resource];
  return (
    <>
      <search class="row fields">
        <Field
          label={`Filter ${title.toLowerCase()}`}
          kind="search"
          value={q}
          onInput={(text) => {
            setQ(text);
            setOffset(0);
          }}
          placeholder="text in any field"
        />
        <Button onClick={page.reload}>Refresh</Button>
        {canAdd && (
          <Button kind="primary" onClick={() => setEdited('new')}>
            Add a {one}
          </Button>
        )}
      </search>
      <Load of={page}>
        {({ total, items }) => (
          <>
            {items.length === 0 ? (
              <Empty>{q ? 'No records match.' : `There are no ${title.toLowerCase()}.`}</Empty>
            ) : (
              <RecordTable kind={resources[resource]} records={items as RecordData[]} onOpen={setEdited} />
            )}
            {total > pageSize && (
              <div class="row">
                <Button disabled={offset === 0} onClick={() => setOffset(Math.max(0, offset - pageSize))}>
                  ← Previous
                </Button>
                <span class="muted">
                  {offset + 1}–{Math.min(offset + pageSize, total)} of {total}
                </span>
                <Button disabled={offset + pageSize >= total} onClick={() => setOffset(offset + pageSize)}>
                  Next →
                </Button>
              </div>
            )}
          </>
        )}
      </Load>
      {edited && (
        <Editor
          resource={resource}
          record={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  );
}
