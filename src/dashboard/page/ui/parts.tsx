// The parts that every view is made of.
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { asText, memberOf } from '../../../../contract-tests/values/json.ts';
import type { Failure } from '../api/failure.ts';
import type { Loaded } from '../api/load.ts';
import { displayed, formatTime, sentence } from './text.ts';

interface HeadProps {
  readonly title: string;
  readonly hint?: ComponentChildren;
  readonly actions?: ComponentChildren;
}

export const ViewHead = ({ title, hint, actions }: HeadProps) => (
  <header class="row head view">
    <div>
      <h1 tabIndex={-1}>{title}</h1>
      {hint && <p class="muted">{hint}</p>}
    </div>
    {actions && <div class="row">{actions}</div>}
  </header>
);

export function Card({ title, hint, actions, children }: HeadProps & { readonly children: ComponentChildren }) {
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
  readonly items: readonly T[];
  readonly empty: string;
  /** The members that are shown; the first one names the row. */
  readonly columns: readonly (keyof T & string)[];
  /** Headings, where not the members' names. */
  readonly titles?: { readonly [Name in keyof T & string]?: string };
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

function cell(column: string, value: unknown): ComponentChildren {
  if (value === undefined || value === null) return <span class="muted">–</span>;
  if (column === 'status')
    return <span class={`badge ${memberOf(statusKinds, asText(value)) ?? ''}`}>{asText(value)}</span>;
  if (typeof value === 'boolean') return <span class={value ? '' : 'muted'}>{value ? 'yes' : 'no'}</span>;
  if (typeof value === 'string') return /_at$|At$/.test(column) ? formatTime(value) : value;
  return typeof value === 'number' ? value : <code>{JSON.stringify(value)}</code>;
}

/** A table, or a note that it is empty. On a narrow screen it scrolls, so that the page does not overflow. */
export function Table<T>({ caption, items, empty, columns, titles = {}, show = {}, actions }: TableProps<T>) {
  if (items.length === 0) return <Empty>{empty}</Empty>;
  const [name, ...others] = columns;
  if (name === undefined) return null;
  const shown = (column: keyof T & string, item: T) => show[column]?.(item) ?? cell(column, item[column]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard has to reach what scrolls
    <div class="scroll" tabIndex={0}>
      <table class="records small" aria-label={caption}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {titles[column] ?? column}
              </th>
            ))}
            {actions && <td />}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item[name]}>
              <th scope="row">{shown(name, item)}</th>
              {others.map((column) => (
                <td key={column} data-title={titles[column] ?? column}>
                  {shown(column, item)}
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
