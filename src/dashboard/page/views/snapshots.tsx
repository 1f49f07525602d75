import { useWorld } from '../api/load.ts';
import { OperationButton } from '../ui/button.tsx';
import { worldNameRule } from '../ui/fields.ts';
import { OperationForm } from '../ui/form.tsx';
import { Card, Load, Table, View } from '../ui/parts.tsx';

export function SnapshotsView() {
  const hint = `Replaces the snapshot that has this name. ${worldNameRule()}`;
  return (
    <View
      title="Snapshots"
      hint="Each holds the records, ids, clock, faults and profile of this world. Taking one is instant."
    >
      <Card title="New snapshot">
        <OperationForm
          of="takeSnapshot"
          looks={{ snapshot: { placeholder: 'signed-in', hint } }}
          done={({ name }) => `Snapshot ${name} taken.`}
          clears={['snapshot']}
          submit="Take snapshot"
          kind="primary"
          layout="inline"
        />
      </Card>
      <Card title="Snapshots of this world">
        <Load of={useWorld()}>
          {({ snapshots }) => (
            <Table
              caption="Snapshots"
              of="Snapshot"
              items={snapshots}
              empty="No snapshots yet. Take one before you try something."
              actions={({ name }) => (
                <>
                  <OperationButton
                    text="Restore"
                    of={name}
                    operation="reset"
                    given={{ from: { snapshot: name } }}
                    done={`Restored: ${name}`}
                  />
                  <OperationButton text="Delete" of={name} asks operation="deleteSnapshot" given={{ snapshot: name }} />
                </>
              )}
            />
          )}
        </Load>
      </Card>
    </View>
  );
}
