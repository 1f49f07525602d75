import { moment } from '../../ui/time.ts';
import { type RecordData, type Resource, resources } from './resources.ts';

interface TableProps {
  readonly resource: Resource;
  readonly records: readonly RecordData[];
  readonly onOpen: (record: RecordData) => void;
}

/** One page of records. On a narrow screen each becomes a block, so that nothing runs out of the page. */
export function RecordTable({ resource, records, onOpen }: TableProps) {
  const { columns, title } = resources[resource];
  return (
    <table class="records">
      <caption class="unseen">{title}</caption>
      <thead>
        <tr>
          <th scope="col">id</th>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <tr key={record.id}>
            <th scope="row">
              <button type="button" class="link" onClick={() => onOpen(record)} aria-label={`Edit ${record.id}`}>
                {record.id}
              </button>
            </th>
            {columns.map((column) => (
              <td key={column} data-column={column}>
                <Cell column={column} value={record[column]} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const statusKinds: Readonly<Record<string, string>> = {
  completed: 'good',
  active: 'good',
  failed: 'bad',
  revoked: 'bad',
  processing: 'accent',
};

function Cell({ column, value }: { readonly column: string; readonly value: unknown }) {
  if (value === undefined || value === null) return <span class="muted">–</span>;
  if (column === 'status') return <span class={`badge ${statusKinds[String(value)] ?? ''}`}>{String(value)}</span>;
  if (typeof value === 'boolean') return <span class={value ? '' : 'muted'}>{value ? 'yes' : 'no'}</span>;
  if (typeof value === 'string') return <>{column.endsWith('_at') ? moment(value) : value}</>;
  return <code>{JSON.stringify(value)}</code>;
}
