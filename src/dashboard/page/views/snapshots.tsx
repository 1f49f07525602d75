import type { ViewProps } from '../address.ts';
import { control, perform } from '../api/client.ts';
import { useWorld } from '../api/load.ts';
import { ActButton } from '../ui/button.tsx';
import { worldNameRule } from '../ui/fields.ts';
import { Form } from '../ui/form.tsx';
import { Card, Load, Table, ViewHead } from '../ui/parts.tsx';

const path = (snapshot: string) => ({ params: { path: { snapshot } } });

export function SnapshotsView(_props: ViewProps) {
  const world = useWorld();
  const take = ({ snapshot }: { readonly snapshot: string }) =>
    perform(control.PUT('/snapshots/{snapshot}', path(snapshot)), `Snapshot ${snapshot} taken.`);
  const restore = (name: string) =>
    perform(control.POST('/reset', { body: { from: { snapshot: name } } }), `Snapshot ${name} restored.`);
  const remove = (name: string) =>
    perform(control.DELETE('/snapshots/{snapshot}', path(name)), `Snapshot ${name} deleted.`);
  const hint = `Replaces the snapshot that has this name. ${worldNameRule()}`;
  return (
    <>
      <ViewHead
        title="Snapshots"
        hint="Each holds the records, ids, clock, faults and profile of this world. Taking one is instant."
      />
      <Card title="New snapshot">
        <Form
          fields={[{ name: 'snapshot', label: 'Name', required: true, placeholder: 'signed-in', hint }]}
          act={take}
          clears={['snapshot']}
          submit="Take snapshot"
          kind="primary"
          layout="inline"
        />
      </Card>
      <Card title="Snapshots of this world">
        <Load of={world}>
          {({ snapshots }) => (
            <Table
              caption="Snapshots"
              items={snapshots}
              empty="No snapshots yet. Take one before you try something."
              columns={['name', 'takenAt', 'profile', 'seed', 'changes']}
              titles={{ takenAt: 'taken', changes: 'changed records' }}
              actions={({ name }) => (
                <>
                  <ActButton text="Restore" of={name} act={() => restore(name)} />
                  <ActButton text="Delete" asks of={name} act={() => remove(name)} />
                </>
              )}
            />
          )}
        </Load>
      </Card>
    </>
  );
}
