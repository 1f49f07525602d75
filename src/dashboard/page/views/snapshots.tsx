import { useState } from 'preact/hooks';
import { control, told } from '../api/client.ts';
import { useAction, useLoad } from '../api/hooks.ts';
import { useWorld } from '../api/world.tsx';
import type { ViewProps } from '../routes.ts';
import { useAnnounce } from '../ui/announce.tsx';
import { Button, ConfirmButton } from '../ui/button.tsx';
import { Card, ViewHead } from '../ui/card.tsx';
import { FailureNote } from '../ui/failure-note.tsx';
import { Field } from '../ui/field.tsx';
import { Empty, Load } from '../ui/load.tsx';
import { moment } from '../ui/time.ts';

const path = (snapshot: string) => ({ params: { path: { snapshot } } });

/** Moments of this world to come back to. */
export function SnapshotsView(_props: ViewProps) {
  const list = useLoad(() => told(control.GET('/snapshots')));
  const world = useWorld();
  const announce = useAnnounce();
  const [name, setName] = useState('');
  const changed = async (message: string) => {
    await Promise.all([list.reload(), world.reload()]);
    announce(message);
  };
  const take = useAction(async () => {
    await told(control.PUT('/snapshots/{snapshot}', path(name.trim())));
    await changed(`Snapshot ${name.trim()} is taken.`);
    setName('');
  });
  const restore = useAction(async (snapshot: string) => {
    await told(control.POST('/snapshots/{snapshot}/restore', path(snapshot)));
    await changed(`The world is as in ${snapshot}.`);
  });
  const forget = useAction(async (snapshot: string) => {
    await told(control.DELETE('/snapshots/{snapshot}', path(snapshot)));
    await changed(`Snapshot ${snapshot} is deleted.`);
  });
  return (
    <>
      <ViewHead title="Snapshots">
        Records, ids, clock, faults and profile of this world, to come back to. Nothing is copied.
      </ViewHead>
      <Card title="Take one">
        <form
          class="row fields"
          onSubmit={(event) => {
            event.preventDefault();
            void take.run();
          }}
        >
          <Field
            label="Name"
            value={name}
            onInput={setName}
            required
            placeholder="signed-in"
            hint="One that has the name is replaced."
            wrong={take.failure?.about('snapshot')}
          />
          <Button type="submit" kind="primary" busy={take.busy}>
            Take a snapshot
          </Button>
        </form>
        <FailureNote failure={take.failure} />
      </Card>
      <Card title="Taken">
        <FailureNote failure={restore.failure ?? forget.failure} />
        <Load of={list}>
          {(snapshots) =>
            snapshots.length === 0 ? (
              <Empty>None yet. A snapshot costs nothing: take one before you try something.</Empty>
            ) : (
              <ul class="rows">
                {snapshots.map((snapshot) => (
                  <li key={snapshot.name}>
                    <div class="grow">
                      <strong>{snapshot.name}</strong>
                      <p class="muted">
                        {moment(snapshot.takenAt)} · profile {snapshot.profile} · seed {snapshot.seed} ·{' '}
                        {snapshot.changes} changed records
                      </p>
                    </div>
                    <div class="row">
                      <Button
                        label={`Restore ${snapshot.name}`}
                        onClick={() => restore.run(snapshot.name)}
                        busy={restore.busy}
                      >
                        Restore
                      </Button>
                      <ConfirmButton label={`Delete ${snapshot.name}`} onConfirm={() => forget.run(snapshot.name)}>
                        Delete
                      </ConfirmButton>
                    </div>
                  </li>
                ))}
              </ul>
            )
          }
        </Load>
      </Card>
    </>
  );
}
