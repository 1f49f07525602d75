import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface CardProps {
  readonly title: ComponentChildren;
  readonly hint?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A titled part of a view. */
export function Card({ title, hint, actions, children }: CardProps) {
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id}>{title}</h2>
        {actions && <div class="row">{actions}</div>}
      </div>
      {hint && <p class="muted hint">{hint}</p>}
      {children}
    </section>
  );
}

/** The head of a view. */
export function ViewHead({
  title,
  children,
  actions,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
  readonly actions?: ComponentChildren;
}) {
  return (
    <header class="view-head">
      <div>
        <h1 tabIndex={-1}>{title}</h1>
        {children && <p class="muted">{children}</p>}
      </div>
      {actions && <div class="row">{actions}</div>}
    </header>
  );
}
