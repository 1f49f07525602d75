import { useId } from 'preact/hooks';
import { control, type Schemas, told } from '../../api/client.ts';
import { useAction } from '../../api/hooks.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { FreeAnswer } from './free-answer.tsx';

type Gap = Schemas['Gap'];

/** An answer as people read it. */
export const shownAnswer = (answer: unknown): string => (typeof answer === 'string' ? answer : JSON.stringify(answer));

interface GapRowProps {
  readonly gap: Gap;
  readonly onChange: () => Promise<unknown>;
}

/** One gap: the question, the answer in force, and the others to switch to. */
export function GapRow({ gap, onChange }: GapRowProps) {
  const { id, section, question, answer, isDefault, origin, answers } = gap;
  const announce = useAnnounce();
  const switchTo = useAction(async (next: unknown) => {
    await told(control.PATCH('/profile', { body: { answers: { [id]: next } as Record<string, never> } }));
    await onChange();
    announce(`${id} is ${shownAnswer(next)} from now on.`);
  });
  return (
    <li class={`gap ${isDefault ? '' : 'on'}`} id={`gap-${id}`}>
      <details>
        <summary>
          <span class="grow">
            <strong>{question}</strong>
            <span class="muted">
              <code>{id}</code> · section {section}
            </span>
          </span>
          <span class="gap-answer">
            <code>{shownAnswer(answer)}</code>
            <span class={`badge ${isDefault ? '' : 'accent'}`}>{isDefault ? 'default' : 'changed'}</span>
          </span>
        </summary>
        <div class="stack gap-body">
          <p class="muted">
            Comes from: {origin}.
            {!isDefault && (
              <>
                {' '}
                The default is <code>{shownAnswer(gap.default)}</code>.
              </>
            )}
          </p>
          {answers ? (
            <Choices gap={gap} answers={answers} busy={switchTo.busy} onChoose={switchTo.run} />
          ) : (
            <FreeAnswer key={JSON.stringify(answer)} gap={gap} busy={switchTo.busy} onChoose={switchTo.run} />
          )}
          <FailureNote failure={switchTo.failure} />
          {!isDefault && (
            <div class="row">
              <Button
                label={`${id} back to the default`}
                onClick={() => switchTo.run(gap.default)}
                busy={switchTo.busy}
              >
                Back to the default
              </Button>
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
  readonly busy: boolean;
  readonly onChoose: (answer: unknown) => unknown;
}

function Choices({ gap, answers, busy, onChoose }: ChoicesProps) {
  const group = useId();
  return (
    <fieldset class="choices" aria-busy={busy}>
      <legend class="unseen">Answers to {gap.id}</legend>
      {Object.entries(answers).map(([answer, meaning]) => (
        <label key={answer}>
          <input
            type="radio"
            name={group}
            value={answer}
            checked={gap.answer === answer}
            onClick={(event) => {
              // The server decides; what it refuses must not look as if it were in force.
              event.preventDefault();
              if (gap.answer !== answer) void onChoose(answer);
            }}
          />
          <span>
            <code>{answer}</code> {meaning}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
