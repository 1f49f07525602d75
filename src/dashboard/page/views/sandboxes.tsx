import { useState } from 'preact/hooks';
import type { ViewProps } from '../address.ts';
import {
  control,
  currentSandbox,
  dashboardPath,
  perform,
  type Schemas,
  sandboxControl,
  unwrap,
} from '../api/client.ts';
import { useLoad, useWorld } from '../api/load.ts';
import { ActButton, Button, CopyButton } from '../ui/button.tsx';
import { operationFields, type Values, worldNameRule } from '../ui/fields.ts';
import { Form } from '../ui/form.tsx';
import { Card, Load, Table, ViewHead } from '../ui/parts.tsx';

export function SandboxesView(_props: ViewProps) {
  const [after, setAfter] = useState<string>();
  const query = { limit: 100, ...(after !== undefined && { after }) };
  const list = useLoad(() => unwrap(control.GET('/sandboxes', { params: { query } })), [after]);
  const next = list.data?.next;
  return (
    <>
      <ViewHead
        title="Sandboxes"
        hint={
          <>
            Separate worlds on this server: a parallel test needs nothing but another base URL. The first request to any{' '}
            <code>/~NAME</code> creates one.
          </>
        }
        actions={
          <ActButton
            text="Delete all"
            asks
            act={() => perform(control.DELETE('/sandboxes'), 'All sandboxes deleted.')}
            disabled={!list.data?.sandboxes.length}
          />
        }
      />
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
              items={sandboxes}
              empty={`No sandboxes yet. The limit is ${limit}.`}
              columns={['name', 'profile', 'seed', 'changes', 'requests']}
              titles={{ changes: 'changed records' }}
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
    </>
  );
}

function Actions({ sandbox: { name, baseUrl } }: { readonly sandbox: Schemas['Sandbox'] }) {
  const reset = () => perform(sandboxControl(name).POST('/reset'), `Sandbox ${name} reset.`);
  const path = { params: { path: { sandbox: name } } };
  const remove = () => perform(control.DELETE('/sandboxes/{sandbox}', path), `Sandbox ${name} deleted.`);
  return (
    <>
      <a class="button" href={dashboardPath(name)} aria-label={`Open ${name}`}>
        Open
      </a>
      <CopyButton text="Copy URL" copied={baseUrl} what={`base URL of ${name}`} />
      <ActButton text="Reset" of={name} act={reset} />
      <ActButton text="Delete" asks of={name} act={remove} />
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
  const profile = useLoad(() => unwrap(control.GET('/profile')));
  const { data: world } = useWorld();
  const starts = ['seed', 'now', ...(world?.snapshots ?? []).map(({ name }) => `snapshot ${name}`)];
  const labels = { seed: 'initial state', now: 'this world now' };
  const placeholder = 'unchanged';
  const when = ({ start }: Values): boolean => start === 'seed';
  return (
    <Card title="New sandbox">
      <Form
        fields={[
          { name: 'sandbox', label: 'Name', required: true, placeholder: 'test-1', hint: worldNameRule() },
          { name: 'start', label: 'Start from', kind: 'choice', options: starts, labels, initial: 'seed' },
          ...operationFields('createSandbox', {
            profile: { label: 'Profile', kind: 'choice', options: profile.data?.shipped, blank: placeholder },
            seed: { label: 'Seed', placeholder, when },
            recordings: { label: 'Recordings', placeholder, when },
          }),
        ]}
        act={({ sandbox, start, ...options }: Entered) => {
          const request = { params: { path: { sandbox } }, body: { ...options, ...originOf(start) } };
          return perform(control.PUT('/sandboxes/{sandbox}', request), `Sandbox ${sandbox} created.`);
        }}
        clears={['sandbox']}
        submit="Create sandbox"
        kind="primary"
      />
    </Card>
  );
}
