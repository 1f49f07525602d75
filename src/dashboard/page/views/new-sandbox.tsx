import { useState } from 'preact/hooks';
import { control, type Schemas, told } from '../api/client.ts';
import { useAction, useLoad } from '../api/hooks.ts';
import { ownSandbox } from '../api/place.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { FailureNote } from '../ui/failure-note.tsx';
import { Field, Select } from '../ui/field.tsx';

type Options = Schemas['SandboxOptions'];

/** Where a sandbox begins: `seed` anew, `now` as this world is, else as a snapshot of it. */
function optionsOf(begin: string, profile: string, seed: string, recordings: string): Options {
  const chosen = profile === '' ? {} : { profile };
  if (begin === 'now') return { ...chosen, from: { sandbox: ownSandbox ?? 'main' } };
  if (begin !== 'seed') return { ...chosen, from: { snapshot: begin } };
  return {
    ...chosen,
    ...(seed.trim() !== '' && { seed: Number(seed) }),
    ...(recordings.trim() !== '' && { recordings: Number(recordings) }),
  };
}

/** Makes a sandbox; one that has the name begins anew. */
export function NewSandbox({ onMade }: { readonly onMade: (name: string) => unknown }) {
  const profiles = useLoad(async () => (await told(control.GET('/profile'))).shipped);
  const snapshots = useLoad(() => told(control.GET('/snapshots')));
  const [name, setName] = useState('');
  const [begin, setBegin] = useState('seed');
  const [profile, setProfile] = useState('');
  const [seed, setSeed] = useState('');
  const [recordings, setRecordings] = useState('');
  const make = useAction(async () => {
    const body = optionsOf(begin, profile, seed, recordings);
    await told(control.PUT('/sandboxes/{sandbox}', { params: { path: { sandbox: name.trim() } }, body }));
    await onMade(name.trim());
    setName('');
  });
  const submit = (event: Event) => {
    event.preventDefault();
    void make.run();
  };
  return (
    <Card title="Make one">
      <form class="stack" onSubmit={submit}>
        <div class="row fields">
          <Field
            label="Name"
            value={name}
            onInput={setName}
            required
            placeholder="test-1"
            wrong={make.failure?.about('sandbox')}
          />
          <Select label="Begins" value={begin} onInput={setBegin}>
            <option value="seed">as main began</option>
            <option value="now">as this world is now</option>
            {snapshots.data?.map((snapshot) => (
              <option key={snapshot.name} value={snapshot.name}>
                as snapshot {snapshot.name}
              </option>
            ))}
          </Select>
          <Select label="Profile" value={profile} onInput={setProfile} wrong={make.failure?.about('profile')}>
            <option value="">the same</option>
            {profiles.data?.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </Select>
          {begin === 'seed' && (
            <>
              <Field
                label="Seed"
                type="number"
                value={seed}
                onInput={setSeed}
                placeholder="the same"
                wrong={make.failure?.about('seed')}
              />
              <Field
                label="Recordings"
                type="number"
                value={recordings}
                onInput={setRecordings}
                placeholder="the same"
                wrong={make.failure?.about('recordings')}
              />
            </>
          )}
        </div>
        <FailureNote failure={make.failure} />
        <div class="row">
          <Button type="submit" kind="primary" busy={make.busy}>
            Make a sandbox
          </Button>
        </div>
      </form>
    </Card>
  );
}
