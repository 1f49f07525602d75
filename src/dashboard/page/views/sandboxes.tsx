import { useState } from 'preact/hooks';
import { currentSandbox, dashboardPath, type Schemas, sandboxControl } from '../api/client.ts';
import { call } from '../api/document.ts';
import { useLoad, useWorld } from '../api/load.ts';
import { ActButton, Button, CopyButton, OperationButton } from '../ui/button.tsx';
import { operationFields, type Values, worldNameRule } from '../ui/fields.ts';
import { Form } from '../ui/form.tsx';
import { Card, Load, Table, View } from '../ui/parts.tsx';

export function SandboxesView() {
  const [after, setAfter] = useState<string>();
  const list = useLoad(() => call('listSandboxes', { limit: 100, ...(after !== undefined && { after }) }), [after]);
  const next = list.data?.next;
  return (
    <View
      title="Sandboxes"
      hint={
        <>
          Separate worlds on this server: a parallel test needs nothing but another base URL. The first request to any{' '}
          <code>/~NAME</code> creates one.
        </>
      }
      actions={
        <OperationButton
          text="Delete all"
          asks
          operation="deleteSandboxes"
          given={{}}
          disabled={!list.data?.sandboxes.length}
        />
      }
    >
      <NewSandbox />
      <Card
        title="On this server"
        hint={list.data?.total ? `${list.data.total} in all, by name` : undefined}
        actions={
          <>
            {after !== undefined && <Button text="First page" onClick={() => setAfter(undefined)} />}
            {next !== undefined && <Button text="Next page" onClick={() => setAfter(next)} />}
          </>
        }
      >
        <Load of={list}>
          {({ sandboxes, limit }) => (
            <Table
              caption="Sandboxes"
              of="Sandbox"
              items={sandboxes}
              empty={`No sandboxes yet. The limit is ${limit}.`}
              columns={['name', 'profile', 'seed', 'changes', 'requests']}
              show={{
                name: ({ name }) => (
                  <>
                    {name} {name === currentSandbox && <span class="badge accent">current</span>}
                  </>
                ),
              }}
              actions={(sandbox) => <Actions sandbox={sandbox} />}
            />
          )}
        </Load>
      </Card>
    </View>
  );
}

function Actions({ sandbox: { name, baseUrl } }: { readonly sandbox: Schemas['Sandbox'] }) {
  const reset = async () => {
    await sandboxControl(name).POST('/reset');
    return `Sandbox ${name} reset.`;
  };
  return (
    <>
      <a class="button" href={dashboardPath(name)} aria-label={`Open ${name}`}>
        Open
      </a>
      <CopyButton text="Copy URL" copied={baseUrl} what={`base URL of ${name}`} />
      <ActButton text="Reset" of={name} act={reset} />
      <OperationButton text="Delete" of={name} asks operation="deleteSandbox" given={{ sandbox: name }} />
    </>
  );
}

interface Entered extends Pick<Schemas['SandboxOptions'], 'profile' | 'seed' | 'recordings'> {
  readonly sandbox: string;
  readonly start: string;
}

/** Where a sandbox starts: from the seed, from this world's current state, or from one of its snapshots. */
function originOf(start: string): Pick<Schemas['SandboxOptions'], 'from'> {
  if (start === 'seed') return {};
  if (start === 'now') return { from: { sandbox: currentSandbox ?? 'main' } };
  return { from: { snapshot: start.replace('snapshot ', '') } };
}

function NewSandbox() {
  const profile = useLoad(() => call('getProfile', {}));
  const { data: world } = useWorld();
  const starts = ['seed', 'now', ...(world?.snapshots ?? []).map(({ name }) => `snapshot ${name}`)];
  const labels = { seed: 'initial state', now: 'this world now' };
  const placeholder = 'unchanged';
  const when = ({ start }: Values): boolean => start === 'seed';
  return (
    <Card title="New sandbox">
      <Form
        fields={[
          ...operationFields('createSandbox', { sandbox: { placeholder: 'test-1', hint: worldNameRule() } }),
          { name: 'start', label: 'Start from', kind: 'choice', options: starts, labels, initial: 'seed' },
          ...operationFields('createSandbox', {
            profile: { kind: 'choice', type: 'string', options: profile.data?.shipped, blank: placeholder },
            seed: { placeholder, when },
            recordings: { placeholder, when },
          }),
        ]}
        act={async ({ start, ...entered }: Entered) => {
          const { name } = await call('createSandbox', { ...entered, ...originOf(start) });
          return `Sandbox ${name} created.`;
        }}
        clears={['sandbox']}
        submit="Create sandbox"
        kind="primary"
      />
    </Card>
  );
}
