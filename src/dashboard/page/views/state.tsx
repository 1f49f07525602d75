import { useState } from 'preact/hooks';
import type { ViewProps } from '../address.ts';
import { call } from '../api/document.ts';
import { useLoad, useWorld } from '../api/load.ts';
import { Button } from '../ui/button.tsx';
import { Filters } from '../ui/form.tsx';
import { Empty, FailureNote, Load, Table, View } from '../ui/parts.tsx';
import { Editor } from './editor.tsx';
import { isResource, type RecordData, type Resource, resources } from './resources.ts';

const pageSize = 25;

/** Every record of the world, by kind: to find, edit, add and delete. What is open and searched for is the address. */
export function StateView({ rest, query, setAddress }: ViewProps) {
  const [kind = '', ...id] = rest.split('/');
  const resource = kind === '' ? 'recordings' : kind;
  const { data: world } = useWorld();
  return (
    <View title="State" hint="Every record of this world. An edit that would violate the API's spec is rejected.">
      <nav class="row" aria-label="Kinds of record">
        {Object.entries(resources).map(([name, { title, count }]) => (
          <a key={name} href={`#/state/${name}`} aria-current={name === resource ? 'true' : undefined}>
            {title} <span class="muted">{world?.counts[count]}</span>
          </a>
        ))}
      </nav>
      {isResource(resource) ? (
        <Records key={resource} resource={resource} id={id.join('/')} q={query.q ?? ''} setAddress={setAddress} />
      ) : (
        <Empty>{`There are no records of the kind ${resource}.`}</Empty>
      )}
    </View>
  );
}

interface RecordsProps extends Pick<ViewProps, 'setAddress'> {
  readonly resource: Resource;
  /** Of the record that is open; empty: none is. */
  readonly id: string;
  readonly q: string;
}

function Records({ resource, id, q, setAddress }: RecordsProps) {
  const [offset, setOffset] = useState(0);
  const [adding, setAdding] = useState(false);
  const query = { limit: pageSize, offset, ...(q.trim() !== '' && { q: q.trim() }) };
  const page = useLoad(() => call('listRecords', { resource, ...query }), [q, offset]);
  const { title, one, canAdd, schema, columns } = resources[resource];
  const label = `Filter ${title.toLowerCase()}`;
  const idColumn = ({ id: name }: RecordData) => (
    <button
      type="button"
      class="link"
      onClick={() => setAddress({ rest: `${resource}/${name}` })}
      aria-label={`Edit ${name}`}
    >
      {name}
    </button>
  );
  return (
    <>
      <Filters
        fields={[{ name: 'q', label, kind: 'search', placeholder: 'text in any field' }]}
        values={{ q }}
        onChange={(typed) => {
          setAddress({ query: typed });
          setOffset(0);
        }}
      >
        {canAdd && <Button text={`Add a ${one}`} kind="primary" onClick={() => setAdding(true)} />}
      </Filters>
      {id !== '' && (
        <OpenRecord
          key={id}
          resource={resource}
          id={id}
          onClose={() => setAddress({ rest: resource }, `${resource}/${id}`)}
        />
      )}
      <Load of={page}>
        {({ total, items }) => (
          <>
            <div class="surface">
              <Table
                caption={title}
                of={schema}
                items={items as RecordData[]}
                empty={q ? 'No records match.' : `There are no ${title.toLowerCase()}.`}
                columns={['id', ...columns]}
                show={{ id: idColumn }}
              />
            </div>
            {total > items.length && (
              <div class="row">
                <Button
                  text="← Previous"
                  disabled={offset === 0}
                  onClick={() => setOffset(Math.max(0, offset - pageSize))}
                />
                <span class="muted">
                  {offset + 1}–{offset + items.length} of {total}
                </span>
                <Button
                  text="Next →"
                  disabled={offset + items.length >= total}
                  onClick={() => setOffset(offset + items.length)}
                />
              </div>
            )}
          </>
        )}
      </Load>
      {adding && <Editor resource={resource} record={undefined} onClose={() => setAdding(false)} />}
    </>
  );
}

function OpenRecord({ resource, id, onClose }: Pick<RecordsProps, 'resource' | 'id'> & { onClose: () => void }) {
  const record = useLoad(() => call('getRecord', { resource, record: id }));
  if (!record.data) return <FailureNote failure={record.failure} />;
  return <Editor resource={resource} record={record.data as RecordData} onClose={onClose} />;
}
