import { useState } from 'preact/hooks';
import { control, told } from '../api/client.ts';
import { useLoad } from '../api/hooks.ts';
import { useWorld } from '../api/world.tsx';
import type { ViewProps } from '../routes.ts';
import { Button } from '../ui/button.tsx';
import { ViewHead } from '../ui/card.tsx';
import { Field } from '../ui/field.tsx';
import { Empty, Load } from '../ui/load.tsx';
import { Editor } from './state/editor.tsx';
import { isResource, type RecordData, resources } from './state/resources.ts';
import { RecordTable } from './state/table.tsx';

const pageSize = 25;

/** Every record of the world, one kind at a time: to be found, edited, added, deleted. */
export function StateView({ rest }: ViewProps) {
  const resource = isResource(rest) ? rest : 'recordings';
  const counts = useLoad(() => told(control.GET('/state')));
  return (
    <>
      <ViewHead title="State">
        Every record of this world. An edit that would break the API's own rules is refused.
      </ViewHead>
      <nav class="tabs" aria-label="Kinds of record">
        {Object.entries(resources).map(([name, { title }]) => (
          <a key={name} href={`#/state/${name}`} aria-current={name === resource ? 'true' : undefined}>
            {title} <span class="muted">{counts.data?.[name] ?? ''}</span>
          </a>
        ))}
      </nav>
      <Records key={resource} resource={resource} onChange={counts.reload} />
    </>
  );
}

interface RecordsProps {
  readonly resource: keyof typeof resources;
  readonly onChange: () => Promise<void>;
}

function Records({ resource, onChange }: RecordsProps) {
  const world = useWorld();
  const [q, setQ] = useState('');
  const [offset, setOffset] = useState(0);
  const [edited, setEdited] = useState<RecordData | 'new'>();
  const query = { limit: pageSize, offset, ...(q.trim() !== '' && { q: q.trim() }) };
  const page = useLoad(
    () => told(control.GET('/state/{resource}', { params: { path: { resource }, query } })),
    [q, offset],
  );
  const { title, one, canAdd } = resources[resource];
  const changed = async () => {
    setEdited(undefined);
    await Promise.all([page.reload(), onChange(), world.reload()]);
  };
  return (
    <>
      <search class="row fields filters">
        <Field
          label={`Filter ${title.toLowerCase()}`}
          type="search"
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
            {`Add a ${one}`}
          </Button>
        )}
      </search>
      <Load of={page}>
        {({ total, items }) => (
          <>
            {items.length === 0 ? (
              <Empty>{q ? 'Nothing matches.' : `There are no ${title.toLowerCase()}.`}</Empty>
            ) : (
              <RecordTable resource={resource} records={items as RecordData[]} onOpen={setEdited} />
            )}
            {total > pageSize && (
              <div class="row pager">
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
          onDone={changed}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  );
}
