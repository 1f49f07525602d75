import type { ComponentChildren } from 'preact';
import type { Loaded } from '../api/hooks.ts';
import { Button } from './button.tsx';
import { FailureNote } from './failure-note.tsx';

interface LoadProps<T> {
  readonly of: Loaded<T>;
  readonly children: (data: T) => ComponentChildren;
}

/** What was fetched; until then that it is being fetched, or why it could not be. */
export function Load<T>({ of: { data, failure, reload }, children }: LoadProps<T>) {
  return (
    <>
      {failure && (
        <div class="stack">
          <FailureNote failure={failure} />
          <div>
            <Button onClick={reload}>Try again</Button>
          </div>
        </div>
      )}
      {data !== undefined ? children(data) : !failure && <p class="muted loading">Loading…</p>}
    </>
  );
}

/** Shown in place of a list that has nothing in it. */
export const Empty = ({ children }: { readonly children: ComponentChildren }) => <p class="empty">{children}</p>;
