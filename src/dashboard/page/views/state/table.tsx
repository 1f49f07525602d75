import type { Schemas } from '../../api/client.ts';
import { formatTime } from '../../ui/time.ts';
import type { RecordData, resources } from './resources.ts';

interface TableProps {
  readonly kind: (typeof resources)[keyof typeof resources];
  readonly records: readonly RecordData[];
  readonly onOpen: (record: RecordData) => void;
}

/** One page of records. On a narrow screen each record is a block, so that the page does not overflow. */
export const RecordTable = ({ kind: { columns, title }, records, onOpen }: TableProps) => (
  <table class="records surface small">
    <caption class="visually-hidden">{title}</caption>
    <thead>
      <tr>
        {['id', ...columns].map((column) => (
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

const recordingKinds: Record<Schemas['RecordingStatus'], string> = {
  pending: '',
  processing: 'accent',
  completed: 'good',
  failed: 'bad',
};
/** Which other statuses API keys have depends on the profile. */
const statusKinds: Readonly<Record<string, string>> = { ...recordingKinds, active: 'good', revoked: 'bad' };

function Cell({ column, value }: { readonly column: string; readonly value: unknown }) {
  if (value === undefined || value === null) return <span class="muted">–</span>;
  if (column === 'status') return <span class={`badge ${statusKinds[String(value)] ?? ''}`}>{String(value)}</span>;
  if (typeof value === 'boolean') return <span class={value ? '' : 'muted'}>{value ? 'yes' : 'no'}</span>;
  if (typeof value === 'string') return <>{column.endsWith('_at') ? formatTime(value) : value}</>;
  return <code>{JSON.stringify(value)}</code>;
}
