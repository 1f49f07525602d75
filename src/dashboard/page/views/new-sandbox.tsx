import { control, perform, type Schemas, unwrap } from '../api/client.ts';
import { useLoad } from '../api/load.ts';
import { currentSandbox } from '../api/location.ts';
import { Card } from '../ui/card.tsx';
import { Form, useForm } from '../ui/form.tsx';
import type { Values } from '../ui/form-field.ts';
import { operationFields, worldNameRule } from '../ui/schema-fields.ts';

interface Entered extends Pick<Schemas['SandboxOptions'], 'profile' | 'seed' | 'recordings'> {
  readonly sandbox: string;
  readonly start: string;
}

const isSeeded = ({ start }: Values): boolean => start === 'seed';
const snapshotStart = (name: string): string => `snapshot ${name}`;

/** Where a sandbox starts: from the seed, from this world's current state, or from one of its snapshots. */
function originOf(start: string): Pick<Schemas['SandboxOptions'], 'from'> {
  if (start === 'seed') return {};
  if (start === 'now') return { from: { sandbox: currentSandbox ?? 'main' } };
  return { from: { snapshot: start.slice(snapshotStart('').length) } };
}

/** Creates a sandbox, or recreates the one that has the name. */
export function NewSandbox() {
  const profile = useLoad(() => unwrap(control.GET('/profile')));
  const snapshots = useLoad(() => unwrap(control.GET('/snapshots')));
  const form = useForm({
    fields: [
      { name: 'sandbox', label: 'Name', required: true, placeholder: 'test-1', hint: worldNameRule() },
      {
        name: 'start',
        label: 'Start from',
        kind: 'choice',
        options: ['seed', 'now', ...(snapshots.data ?? []).map(({ name }) => snapshotStart(name))],
        labels: { seed: 'initial state', now: 'this world now' },
        initial: 'seed',
      },
      ...operationFields('createSandbox', {
        profile: { label: 'Profile', kind: 'choice', options: profile.data?.shipped, blank: 'unchanged' },
        seed: { label: 'Seed', placeholder: 'unchanged', when: isSeeded },
        recordings: { label: 'Recordings', placeholder: 'unchanged', when: isSeeded },
      }),
    ],
    act: ({ sandbox, start, ...options }: Entered) => {
      const request = { params: { path: { sandbox } }, body: { ...options, ...originOf(start) } };
      return perform(control.PUT('/sandboxes/{sandbox}', request), `Sandbox ${sandbox} created.`);
    },
    clears: ['sandbox'],
  });
  return (
    <Card title="New sandbox">
      <Form form={form} submit="Create sandbox" kind="primary" />
    </Card>
  );
}
