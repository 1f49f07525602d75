import { useState } from 'preact/hooks';
import { control, perform } from '../../api/client.ts';
import type { BodyOf } from '../../api/document.ts';
import { useWorld } from '../../api/world.tsx';
import { ConfirmButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Checkbox } from '../../ui/field.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { operationFields } from '../../ui/schema-fields.ts';

/** Resets the world, or replaces its records. */
export const WorldActions = () => (
  <Card title="Start over">
    <div class="columns">
      <Reset />
      <Reseed />
    </div>
  </Card>
);

type Kept = NonNullable<NonNullable<BodyOf<'reset'>>['keep']>;

function Reset() {
  const [kept, setKept] = useState<Kept>([]);
  const parts = operationFields('reset', { keep: {} }).flatMap(({ options = [] }) => options) as Kept;
  return (
    <div class="stack">
      <h3>Reset</h3>
      <p class="muted small">
        Restores the initial records, ids, clock, faults and profile. Keeps the journal and the snapshots.
      </p>
      <fieldset class="row">
        <legend>Keep</legend>
        {parts.map((part) => (
          <Checkbox
            key={part}
            label={part}
            checked={kept.includes(part)}
            onInput={(checked) => setKept(checked ? [...kept, part] : kept.filter((each) => each !== part))}
          />
        ))}
      </fieldset>
      <div class="row">
        <ConfirmButton act={() => perform(control.POST('/reset', { body: { keep: kept } }), 'World reset.')}>
          Reset
        </ConfirmButton>
      </div>
    </div>
  );
}

function Reseed() {
  const { data } = useWorld();
  const form = useForm({
    fields: operationFields('reseed', {
      seed: { label: 'Seed', placeholder: data?.seed.toString() },
      recordings: { label: 'Recordings', placeholder: data?.counts.recordings.toString() },
    }),
    act: (body: BodyOf<'reseed'>) => perform(control.POST('/seed', { body }), 'World reseeded.'),
  });
  const head = (
    <>
      <h3>Reseed</h3>
      <p class="muted small">Replaces all records. Tokens of another seed are no longer valid.</p>
    </>
  );
  return <Form form={form} submit="Reseed" head={head} />;
}
