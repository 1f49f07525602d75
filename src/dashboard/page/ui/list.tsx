import type { ComponentChildren } from 'preact';

interface ListProps<T> {
  readonly items: readonly T[];
  /** Shown in place of a list without items. */
  readonly empty: string;
  readonly class?: string;
  /** Shows one item, with its key. */
  readonly children: (item: T) => ComponentChildren;
}

/** A list, or a note that it is empty. */
export function List<T>({ items, empty, children, class: className = 'rows' }: ListProps<T>) {
  if (items.length === 0) return <Empty>{empty}</Empty>;
  return <ul class={className}>{items.map(children)}</ul>;
}

/** Shown in place of something that has no content. */
export const Empty = ({ children }: { readonly children: string }) => <p class="empty muted">{children}</p>;

interface RowProps {
  readonly title: string;
  readonly badge?: ComponentChildren;
  readonly details: string;
  /** The row's buttons. */
  readonly children: ComponentChildren;
}

/** A named thing in a list, with what can be done with it. */
export const Row = ({ title, badge, details, children }: RowProps) => (
  <li>
    <div class="grow">
      <strong>{title}</strong>
      {badge}
      <p class="muted">{details}</p>
    </div>
    <div class="row">{children}</div>
  </li>
);

/** A name and its value in a `dl`. */
export const Fact = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);
