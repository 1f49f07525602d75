import { useState } from 'preact/hooks';
import { control, told } from '../../api/client.ts';
import { useAction } from '../../api/hooks.ts';
import { useWorld } from '../../api/world.tsx';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button, ConfirmButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field, Tick } from '../../ui/field.tsx';

const keepable = ['clock', 'faults', 'profile'] as const;
type Keepable = (typeof keepable)[number];

/** Back to the beginning, or to another beginning. */
export function WorldActions() {
  return (
    <Card title="Begin anew">
      <div class="columns">
        <Reset />
        <Reseed />
      </div>
    </Card>
  );
}

function Reset() {
  const { reload } = useWorld();
  const announce = useAnnounce();
  const [kept, setKept] = useState<readonly Keepable[]>([]);
  const reset = useAction(async () => {
    await told(control.POST('/reset', { body: { keep: [...kept] } }));
    await reload();
    announce('The world is as it began.');
  });
  return (
    <div class="stack">
      <h3>Reset</h3>
      <p class="muted hint">Records, ids, clock, faults and profile as this world began. Journal and snapshots stay.</p>
      <fieldset class="row">
        <legend>Keep</legend>
        {keepable.map((part) => (
          <Tick
            key={part}
            label={part}
            checked={kept.includes(part)}
            onInput={(on) => setKept(on ? [...kept, part] : kept.filter((each) => each !== part))}
          />
        ))}
      </fieldset>
      <FailureNote failure={reset.failure} />
      <div class="row">
        <ConfirmButton onConfirm={reset.run} busy={reset.busy} question="Really reset this world?">
          Reset
        </ConfirmButton>
      </div>
    </div>
  );
}

const numberOf = (text: string) => (text.trim() === '' ? undefined : Number(text));

function Reseed() {
  const { data, reload } = useWorld();
  const announce = useAnnounce();
  const [seed, setSeed] = useState('');
  const [recordings, setRecordings] = useState('');
  const reseed = useAction(async () => {
    await told(control.POST('/seed', { body: { seed: numberOf(seed), recordings: numberOf(recordings) } }));
    await reload();
    announce('Every record is made anew.');
  });
  const submit = (event: Event) => {
    event.preventDefault();
    void reseed.run();
  };
  return (
    <form class="stack" onSubmit={submit}>
      <h3>Reseed</h3>
      <p class="muted hint">Other records from another seed. Tokens of the old seed are refused from then on.</p>
      <div class="row fields">
        <Field
          label="Seed"
          type="number"
          value={seed}
          onInput={setSeed}
          placeholder={data && `${data.seed}`}
          wrong={reseed.failure?.about('seed')}
        />
        <Field
          label="Recordings"
          type="number"
          value={recordings}
          onInput={setRecordings}
          placeholder={data && `${data.counts.recordings}`}
          wrong={reseed.failure?.about('recordings')}
        />
      </div>
      <FailureNote failure={reseed.failure} />
      <div class="row">
        <Button type="submit" busy={reseed.busy}>
          Make it anew
        </Button>
      </div>
    </form>
  );
}
