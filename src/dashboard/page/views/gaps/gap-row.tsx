import { useId } from 'preact/hooks';
import { control, perform, type Schemas } from '../../api/client.ts';
import { useChange } from '../../ui/action.ts';
import { ChangeButton } from '../../ui/button.tsx';
import { displayed, FailureNote } from '../../ui/failure-note.tsx';
import { FreeAnswer } from './free-answer.tsx';

type Gap = Schemas['Gap'];

/** One gap: the question, the answer in force, and the alternatives. */
export function GapRow({ gap }: { readonly gap: Gap }) {
  const { id, section, question, answer, isDefault, origin, answers } = gap;
  const change = (next: unknown) =>
    perform(
      control.PATCH('/profile', { body: { answers: { [id]: next } as Record<string, never> } }),
      `${id} is now ${displayed(next)}.`,
    );
  return (
    <li class="gap" id={`gap-${id}`}>
      <details>
        <summary class="row">
          <span class="grow">
            <strong>{question}</strong>
            <span class="muted">
              <code>{id}</code> · section {section}
            </span>
          </span>
          <span class="row gap-answer">
            <code>{displayed(answer)}</code>
            <span class={`badge ${isDefault ? '' : 'accent'}`}>{isDefault ? 'default' : 'changed'}</span>
          </span>
        </summary>
        <div class="stack gap-body">
          <p class="muted">
            Source: {origin}.
            {!isDefault && (
              <>
                {' '}
                The default is <code>{displayed(gap.default)}</code>.
              </>
            )}
          </p>
          {answers && <Choices gap={gap} answers={answers} change={change} />}
          {(!answers || gap.schema) && <FreeAnswer key={JSON.stringify(answer)} gap={gap} change={change} />}
          {!isDefault && (
            <div class="row">
              <ChangeButton label={`Restore default of ${id}`} act={() => change(gap.default)}>
                Restore default
              </ChangeButton>
            </div>
          )}
        </div>
      </details>
    </li>
  );
}

interface ChoicesProps {
  readonly gap: Gap;
  readonly answers: Readonly<Record<string, string>>;
  readonly change: (answer: string) => Promise<string>;
}

function Choices({ gap, answers, change }: ChoicesProps) {
  const group = useId();
  const { run, busy, failure } = useChange(change);
  return (
    <fieldset class="stack choices" aria-busy={busy}>
      <legend class="visually-hidden">Answers to {gap.id}</legend>
      {Object.entries(answers).map(([answer, meaning]) => (
        <label key={answer}>
          <input
            type="radio"
            name={group}
            value={answer}
            checked={gap.answer === answer}
            onClick={(event) => {
              // The server decides: a rejected answer must not appear to be in force.
              event.preventDefault();
              if (gap.answer !== answer) void run(answer);
            }}
          />
          <span>
            <code>{answer}</code> {meaning}
          </span>
        </label>
      ))}
      {busy && <p class="muted">Applying…</p>}
      <FailureNote failure={failure} />
    </fieldset>
  );
}
