import { useState } from 'preact/hooks';
import type { Schemas } from '../../api/client.ts';
import { Failure } from '../../api/failure.ts';
import { Button } from '../../ui/button.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field } from '../../ui/field.tsx';

type Gap = Schemas['Gap'];

const isText = ({ answer }: Gap): boolean => typeof answer === 'string';

/** What was typed, as the answer's own kind: text as it is, anything else as JSON. */
function read(gap: Gap, typed: string): { readonly answer: unknown } | Failure {
  if (isText(gap)) return { answer: typed };
  try {
    return { answer: JSON.parse(typed) };
  } catch {
    return new Failure('This is not valid JSON.');
  }
}

interface FreeAnswerProps {
  readonly gap: Gap;
  readonly busy: boolean;
  readonly onChoose: (answer: unknown) => unknown;
}

/** An answer that cannot be listed: typed, or taken from the examples. */
export function FreeAnswer({ gap, busy, onChoose }: FreeAnswerProps) {
  const written = (answer: unknown) => (typeof answer === 'string' ? answer : JSON.stringify(answer));
  const [typed, setTyped] = useState(written(gap.answer));
  const [wrong, setWrong] = useState<Failure>();
  const submit = (event: Event) => {
    event.preventDefault();
    const found = read(gap, typed);
    setWrong(found instanceof Failure ? found : undefined);
    if (!(found instanceof Failure)) void onChoose(found.answer);
  };
  return (
    <form class="stack" onSubmit={submit}>
      <div class="row fields">
        <Field label={`Answer to ${gap.id}${isText(gap) ? '' : ' (JSON)'}`} value={typed} onInput={setTyped} />
        <Button type="submit" busy={busy} disabled={typed === written(gap.answer)}>
          Use it
        </Button>
      </div>
      {gap.examples && (
        <div class="row">
          <span class="muted">Examples</span>
          {gap.examples.map((example) => (
            <Button key={written(example)} kind="quiet" onClick={() => setTyped(written(example))}>
              {written(example)}
            </Button>
          ))}
        </div>
      )}
      <FailureNote failure={wrong} />
    </form>
  );
}
