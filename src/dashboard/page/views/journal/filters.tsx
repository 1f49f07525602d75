import type { ComponentChildren } from 'preact';
import type { Query } from '../../address.ts';
import type { QueryOf } from '../../api/document.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { operationFields } from '../../ui/schema-fields.ts';

/** What entries must match; a member that is absent matches all. */
export type JournalFilter = Pick<
  QueryOf<'queryJournal'>,
  'method' | 'path' | 'status' | 'operation' | 'user' | 'gap' | 'fault'
>;

const names = [
  'path',
  'method',
  'status',
  'operation',
  'user',
  'gap',
  'fault',
] as const satisfies (keyof JournalFilter)[];

/** The filter that an address names. The server rejects what is not possible. */
export const filterIn = (query: Query): JournalFilter =>
  Object.fromEntries(names.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));

interface FiltersProps {
  readonly filter: JournalFilter;
  readonly onChange: (filter: Query) => void;
  readonly children: ComponentChildren;
}

/** The journal's filters, which the server applies. */
export function Filters({ filter, onChange, children }: FiltersProps) {
  const fields = operationFields('queryJournal', {
    path: { label: 'Path', kind: 'search', placeholder: '/recordings/' },
    method: { label: 'Method', blank: 'any' },
    status: { label: 'Status', kind: 'choice', options: ['2xx', '3xx', '4xx', '5xx'], blank: 'any' },
    user: { label: 'User id', kind: 'search' },
    gap: { label: 'Gap', kind: 'search' },
    fault: { label: 'Fault', kind: 'search' },
  });
  const set = (name: string, value: string) => onChange({ ...filter, [name]: value } as Query);
  return (
    <search class="row fields narrow">
      {fields.map((field) => (
        <Field
          key={field.name}
          {...field}
          value={(filter as Record<string, string>)[field.name] ?? ''}
          onInput={(text) => set(field.name, text.trim())}
        />
      ))}
      {children}
      {Object.keys(filter).length > 0 && (
        <Button kind="quiet" onClick={() => onChange({})}>
          Clear filters
        </Button>
      )}
    </search>
  );
}
