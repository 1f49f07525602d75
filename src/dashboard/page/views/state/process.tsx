import { useState } from 'preact/hooks';
import { control, told } from '../../api/client.ts';
import { useAction } from '../../api/hooks.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field, Select } from '../../ui/field.tsx';

interface ProcessProps {
  readonly recording: string;
  readonly onDone: () => Promise<unknown>;
}

type Outcome = 'completed' | 'failed';

/** Plays a recording's status forward: at once, or on the world's clock. */
export function Process({ recording, onDone }: ProcessProps) {
  const announce = useAnnounce();
  const [outcome, setOutcome] = useState<Outcome>('completed');
  const [steps, setSteps] = useState('');
  const [after, setAfter] = useState('');
  const act = useAction(async () => {
    const body = {
      outcome,
      ...(steps !== '' && { steps: Number(steps) }),
      ...(after.trim() !== '' && { afterSeconds: Number(after) }),
    };
    const { path, ends } = await told(
      control.POST('/recordings/{record}/process', { params: { path: { record: recording } }, body }),
    );
    announce(`${recording}: ${path.join(' → ')}${ends ? `, ${ends.status} at ${ends.at}` : ''}`);
    await onDone();
  });
  const submit = (event: Event) => {
    event.preventDefault();
    void act.run();
  };
  return (
    <form class="stack apart" onSubmit={submit} noValidate>
      <h3>Process</h3>
      <p class="muted hint">
        Plays the status forward. An assumption: the source document does not show the transitions.
      </p>
      <div class="row fields">
        <Select label="Outcome" value={outcome} onInput={(value) => setOutcome(value as Outcome)}>
          <option value="completed">completed</option>
          <option value="failed">failed</option>
        </Select>
        <Select label="Steps" value={steps} onInput={setSteps} wrong={act.failure?.about('steps')}>
          <option value="">to the end</option>
          {['1', '2', '3'].map((count) => (
            <option key={count} value={count}>
              {count}
            </option>
          ))}
        </Select>
        <Field
          label="After seconds"
          type="number"
          value={after}
          onInput={setAfter}
          placeholder="at once"
          wrong={act.failure?.about('afterSeconds')}
        />
        <Button type="submit" busy={act.busy}>
          Process
        </Button>
      </div>
      <FailureNote failure={act.failure} />
    </form>
  );
}
