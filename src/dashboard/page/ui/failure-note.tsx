import { type Failure, sentence } from '../api/failure.ts';

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

interface FailureNoteProps {
  readonly failure: Failure | undefined;
  /** Fields that tell themselves what is wrong with them. */
  readonly told?: readonly string[];
}

/** Why something was refused: the server's message, and for each field what may stand there. */
export function FailureNote({ failure, told = [] }: FailureNoteProps) {
  if (!failure) return null;
  const details = failure.details.filter((detail) => !told.some((field) => failure.about(field) === detail));
  return (
    <div class="note bad" role="alert">
      <p>{failure.message}</p>
      {details.length > 0 && (
        <ul>
          {details.map(({ field, message, allowed, example }) => (
            <li key={field}>
              <code>{field}</code> {sentence(message)}
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
