import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface HeadProps {
  readonly title: string;
  readonly hint?: ComponentChildren;
  readonly actions?: ComponentChildren;
}

/** A titled part of a view. */
export function Card({ title, hint, actions, children }: HeadProps & { readonly children: ComponentChildren }) {
  const id = useId();
  return (
    <section class="card surface stack" aria-labelledby={id}>
      <div class="row head">
        <h2 id={id}>{title}</h2>
        {actions && <div class="row">{actions}</div>}
      </div>
      {hint && <p class="muted small hint">{hint}</p>}
      {children}
    </section>
  );
}

/** The head of a view. */
export const ViewHead = ({ title, hint, actions }: HeadProps) => (
  <header class="row head view">
    <div>
      <h1 tabIndex={-1}>{title}</h1>
      {hint && <p class="muted">{hint}</p>}
    </div>
    {actions && <div class="row">{actions}</div>}
  </header>
);
