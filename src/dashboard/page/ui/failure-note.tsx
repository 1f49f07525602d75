import { type Failure, sentence } from '../api/failure.ts';

interface FailureNoteProps {
  readonly failure: Failure | undefined;
  /** Fields that show their own details. */
  readonly shown?: readonly string[];
}

/** Why something was rejected: the server's message, and what each field may contain. */
export function FailureNote({ failure, shown = [] }: FailureNoteProps) {
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

/** A value as people read it: text as it is, anything else as JSON. */
export const displayed = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
