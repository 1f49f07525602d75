import { control, perform, unwrap } from '../api/client.ts';
import { useLoad } from '../api/load.ts';
import type { ViewProps } from '../routes.ts';
import { ChangeButton, ConfirmButton } from '../ui/button.tsx';
import { Card, ViewHead } from '../ui/card.tsx';
import { Form, useForm } from '../ui/form.tsx';
import { List, Row } from '../ui/list.tsx';
import { Load } from '../ui/load.tsx';
import { worldNameRule } from '../ui/schema-fields.ts';
import { formatTime } from '../ui/time.ts';

const path = (snapshot: string) => ({ params: { path: { snapshot } } });

/** Saved states of this world. */
export function SnapshotsView(_props: ViewProps) {
  const list = useLoad(() => unwrap(control.GET('/snapshots')));
  const form = useForm({
    fields: [
      {
        name: 'snapshot',
        label: 'Name',
        required: true,
        placeholder: 'signed-in',
        hint: `Replaces the snapshot that has this name. ${worldNameRule()}`,
      },
    ],
    act: ({ snapshot }: { readonly snapshot: string }) =>
      perform(control.PUT('/snapshots/{snapshot}', path(snapshot)), `Snapshot ${snapshot} taken.`),
    clears: ['snapshot'],
  });
  const restore = (name: string) =>
    perform(control.POST('/snapshots/{snapshot}/restore', path(name)), `Snapshot ${name} restored.`);
  const remove = (name: string) =>
    perform(control.DELETE('/snapshots/{snapshot}', path(name)), `Snapshot ${name} deleted.`);
  return (
    <>
      <ViewHead
        title="Snapshots"
        hint="Each holds the records, ids, clock, faults and profile of this world. Taking one copies nothing."
      />
      <Card title="New snapshot">
        <Form form={form} submit="Take snapshot" kind="primary" layout="inline" />
      </Card>
      <Card title="Snapshots of this world">
        <Load of={list}>
          {(snapshots) => (
            <List items={snapshots} empty="No snapshots yet. Take one before you try something.">
              {({ name, takenAt, profile, seed, changes }) => (
                <Row
                  key={name}
                  title={name}
                  details={`${formatTime(takenAt)} · profile ${profile} · seed ${seed} · ${changes} changed records`}
                >
                  <ChangeButton label={`Restore ${name}`} act={() => restore(name)}>
                    Restore
                  </ChangeButton>
                  <ConfirmButton label={`Delete ${name}`} act={() => remove(name)}>
                    Delete
                  </ConfirmButton>
                </Row>
              )}
            </List>
          )}
        </Load>
      </Card>
    </>
  );
}
