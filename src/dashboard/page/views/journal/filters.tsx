import type { operations } from '../../../../control/control-types.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/field.tsx';

type Query = NonNullable<operations['queryJournal']['parameters']['query']>;

/** What is looked for; a member that is not there does not matter. */
export type JournalFilter = Pick<Query, 'method' | 'path' | 'status' | 'operation' | 'user' | 'gap' | 'fault'>;

const methods = ['GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'DELETE'];
const statuses = ['2xx', '3xx', '4xx', '5xx'];

interface FiltersProps {
  readonly filter: JournalFilter;
  readonly onChange: (filter: JournalFilter) => void;
}

/** The journal's filters; the server does the looking. */
export function Filters({ filter, onChange }: FiltersProps) {
  const set = (name: keyof JournalFilter) => (value: string) => {
    const { [name]: _old, ...others } = filter;
    onChange(value.trim() === '' ? others : ({ ...others, [name]: value.trim() } as JournalFilter));
  };
  return (
    <search class="row fields filters many">
      <Field label="Path" type="search" value={filter.path ?? ''} onInput={set('path')} placeholder="/recordings/" />
      <Select label="Method" value={filter.method ?? ''} onInput={set('method')}>
        <Options of={methods} />
      </Select>
      <Select label="Status" value={filter.status ?? ''} onInput={set('status')}>
        <Options of={statuses} />
      </Select>
      <Field label="User id" type="search" value={filter.user ?? ''} onInput={set('user')} />
      <Field label="Gap" type="search" value={filter.gap ?? ''} onInput={set('gap')} />
      <Field label="Fault" type="search" value={filter.fault ?? ''} onInput={set('fault')} />
      {Object.keys(filter).length > 0 && (
        <Button kind="quiet" onClick={() => onChange({})}>
          Show all
        </Button>
      )}
    </search>
  );
}

const Options = ({ of: values }: { readonly of: readonly string[] }) => (
  <>
    <option value="">any</option>
    {values.map((value) => (
      <option key={value} value={value}>
        {value}
      </option>
    ))}
  </>
);
