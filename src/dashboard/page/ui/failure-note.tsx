import type { Failure } from '../api/failure.ts';

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Why something was refused: the server's message, and for each field what may stand there. */
export function FailureNote({ failure }: { readonly failure: Failure | undefined }) {
  if (!failure) return null;
  return (
    <div class="note bad" role="alert">
      <p>{failure.message}</p>
      {failure.details.length > 0 && (
        <ul>
          {failure.details.map(({ field, message, allowed, example }) => (
            <li key={field}>
              <code>{field}</code> {message}
              {allowed && <span class="muted"> Allowed: {allowed}.</span>}
              {example !== undefined && (
                <span class="muted">
                  {' '}
                  Example: <code>{asText(example)}</code>
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
