// The parts that every view is made of.
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { asText, memberOf } from '../../../../contract-tests/values/json.ts';
import type { Schemas } from '../api/client.ts';
import { dereference, namedSchema, type Schema } from '../api/document.ts';
import type { Failure } from '../api/failure.ts';
import type { Loaded } from '../api/load.ts';
import { displayed, formatTime, sentence } from './text.ts';

interface HeadProps {
  readonly title: string;
  readonly hint?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** The layout of every view. */
export const View = ({ title, hint, actions, children }: HeadProps) => (
  <>
    <header class="row head view">
      <div>
        <h1 tabIndex={-1}>{title}</h1>
        <p class="muted">{hint}</p>
      </div>
      {actions && <div class="row">{actions}</div>}
    </header>
    {children}
  </>
);

export function Card({ title, hint, actions, children }: HeadProps) {
  const id = useId();
  return (
    <section class="card surface stack" aria-labelledby={id}>
      <div class="row head">
        <h2 id={id}>{title}</h2>
        {actions && <div class="row">{actions}</div>}
      </div>
      {hint && <p class="muted small">{hint}</p>}
      {children}
    </section>
  );
}

export const Empty = ({ children }: { readonly children: string }) => <p class="muted">{children}</p>;

interface FactsProps {
  /** What is shown of each name; nothing of those without a value. */
  readonly of: Readonly<Record<string, ComponentChildren>>;
  readonly label?: string;
  readonly class?: string;
}

export const Facts = ({ of, label, class: className = '' }: FactsProps) => (
  <dl class={`facts ${className}`} aria-label={label}>
    {Object.entries(of).map(
      ([name, value]) =>
        value && (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ),
    )}
  </dl>
);

interface TableProps<T> {
  readonly caption: string;
  /** The schema of the rows: it names the columns. */
  readonly of: keyof Schemas;
  readonly items: readonly T[];
  readonly empty: string;
  /** The members that are shown, by default all; the first one names the row. */
  readonly columns?: readonly (keyof T & string)[];
  /** What is shown, where not the values themselves. */
  readonly show?: { readonly [Name in keyof T & string]?: (item: T) => ComponentChildren };
  readonly actions?: (item: T) => ComponentChildren;
}

/** The badges of statuses. Which ones API keys have depends on the profile. */
const statusKinds: Readonly<Record<string, string>> = {
  processing: 'accent',
  completed: 'good',
  active: 'good',
  failed: 'bad',
  revoked: 'bad',
};

function cell(column: string, { format }: Schema, value: unknown): ComponentChildren {
  if (value === undefined || value === null) return <span class="muted">–</span>;
  if (column === 'status')
    return <span class={`badge ${memberOf(statusKinds, asText(value)) ?? ''}`}>{asText(value)}</span>;
  if (typeof value === 'boolean') return <span class={value ? '' : 'muted'}>{value ? 'yes' : 'no'}</span>;
  if (typeof value === 'string') return format === 'date-time' ? formatTime(value) : value;
  return typeof value === 'number' ? value : <code>{JSON.stringify(value)}</code>;
}

/** A table, or a note that it is empty. On a narrow screen each row is a list, so that the page does not overflow. */
export function Table<T extends object>({ caption, of, items, empty, columns, show = {}, actions }: TableProps<T>) {
  if (items.length === 0) return <Empty>{empty}</Empty>;
  const { properties = {} } = namedSchema(of);
  // The schema describes the rows.
  const names = columns ?? (Object.keys(properties) as (keyof T & string)[]);
  const schemas = names.map((name) => ({ name, ...dereference(memberOf(properties, name) ?? {}) }));
  const shown = (schema: (typeof schemas)[number], item: T): ComponentChildren =>
    show[schema.name]?.(item) ?? cell(schema.name, schema, item[schema.name]);
  const [first, ...others] = schemas;
  if (!first) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard has to reach what scrolls
    <div class="scroll" tabIndex={0}>
      <table class="records small" aria-label={caption}>
        <thead>
          <tr>
            {schemas.map(({ name, title = name }) => (
              <th key={name} scope="col">
                {title}
              </th>
            ))}
            {actions && <td />}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item[first.name]}>
              <th scope="row">{shown(first, item)}</th>
              {others.map((schema) => (
                <td key={schema.name} data-title={schema.title ?? schema.name}>
                  {shown(schema, item)}
                </td>
              ))}
              {actions && (
                <td>
                  <div class="row">{actions(item)}</div>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface FoldProps {
  readonly summary: ComponentChildren;
  readonly open?: boolean;
  readonly onToggle?: (open: boolean) => void;
  readonly class?: string;
  readonly children: ComponentChildren;
}

export function Fold({ summary, open = false, onToggle, class: className, children }: FoldProps) {
  const [isOpen, setOpen] = useState(open);
  useEffect(() => setOpen(open), [open]);
  const toggle = (next: boolean) => {
    setOpen(next);
    if (next !== open) onToggle?.(next);
  };
  return (
    <details class={className} open={isOpen} onToggle={({ currentTarget }) => toggle(currentTarget.open)}>
      <summary class="row">{summary}</summary>
      {isOpen && children}
    </details>
  );
}

interface GroupsProps<T> {
  readonly items: readonly T[];
  readonly groupOf: (item: T) => string;
  readonly isOpen: boolean;
  readonly empty: string;
  readonly children: (item: T) => ComponentChildren;
}

/** Long lists, folded by what their items belong to. */
export function Groups<T>({ items, groupOf, isOpen, empty, children }: GroupsProps<T>) {
  if (items.length === 0) return <Empty>{empty}</Empty>;
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(groupOf(item), [...(groups.get(groupOf(item)) ?? []), item]);
  return (
    <div class="surface families">
      {[...groups].map(([name, members]) => (
        <Fold
          key={name}
          open={isOpen}
          summary={
            <h2 class="grow">
              {name} <span class="muted">{members.length}</span>
            </h2>
          }
        >
          <ul class="rows">{members.map(children)}</ul>
        </Fold>
      ))}
    </div>
  );
}

export function FailureNote({ failure, shown = [] }: { failure: Failure | undefined; shown?: readonly string[] }) {
  if (!failure) return null;
  const details = failure.details.filter((detail) => !shown.some((field) => failure.detailOf(field) === detail));
  return (
    <div class="note bad small" role="alert">
      <p>{failure.message}</p>
      <ul>
        {details.map(({ field, message, allowed, example }) => (
          <li key={field}>
            <code>{field}</code> {sentence(message)}
            {allowed && <span class="muted"> Allowed: {allowed}.</span>}
            {example !== undefined && (
              <span class="muted">
                {' '}
                Example: <code>{displayed(example)}</code>
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

export const Load = <T,>({ of: { data, failure }, children }: { of: Loaded<T>; children: (data: T) => VNode }) => (
  <>
    <FailureNote failure={failure} />
    {data !== undefined ? children(data) : !failure && <p class="muted loading">Loading…</p>}
  </>
);
