import type { ComponentChildren } from 'preact';
import type { Loaded } from '../api/load.ts';
import { Button } from './button.tsx';
import { FailureNote } from './failure-note.tsx';

interface LoadProps<T> {
  readonly of: Loaded<T>;
  readonly children: (data: T) => ComponentChildren;
}

/** Shows loaded data; before that, that it is loading or why loading failed. */
export function Load<T>({ of: { data, failure, reload }, children }: LoadProps<T>) {
  return (
    <>
      {failure && (
        <div class="stack">
          <FailureNote failure={failure} />
          <div>
            <Button onClick={reload}>Retry</Button>
          </div>
        </div>
      )}
      {data !== undefined ? children(data) : !failure && <p class="muted loading">Loading…</p>}
    </>
  );
}
