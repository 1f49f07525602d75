import { useState } from 'preact/hooks';
import { control, type Schemas, told } from '../api/client.ts';
import { useAction, useLoad } from '../api/hooks.ts';
import { useWorld } from '../api/world.tsx';
import type { ViewProps } from '../routes.ts';
import { useAnnounce } from '../ui/announce.tsx';
import { Button } from '../ui/button.tsx';
import { Card, ViewHead } from '../ui/card.tsx';
import { FailureNote } from '../ui/failure-note.tsx';
import { Field, Select, Tick } from '../ui/field.tsx';
import { Empty, Load } from '../ui/load.tsx';
import { GapRow } from './gaps/gap-row.tsx';

type Profile = Schemas['Profile'];

/** The ledger of what the source document leaves open, with the answers in force. */
export function GapsView({ rest }: ViewProps) {
  const [text, setText] = useState(rest);
  const [otherOnly, setOtherOnly] = useState(false);
  const profile = useLoad(() => told(control.GET('/profile')));
  const world = useWorld();
  const changed = async () => {
    await Promise.all([profile.reload(), world.reload()]);
  };
  const isShown = ({ id, question, section, isDefault }: Schemas['Gap']) =>
    !(otherOnly && isDefault) && `${id} ${question} ${section}`.toLowerCase().includes(text.trim().toLowerCase());
  return (
    <>
      <ViewHead title="Gaps">
        What the source document leaves open, and what this world assumes. A switched answer holds from the next
        request.
      </ViewHead>
      <Load of={profile}>
        {(found) => {
          const shown = found.gaps.filter(isShown);
          return (
            <>
              <ProfileChoice profile={found} onChange={changed} />
              <search class="row fields filters">
                <Field label="Filter" type="search" value={text} onInput={setText} placeholder="id, words, section" />
                <Tick label="Only answers that are not the default" checked={otherOnly} onInput={setOtherOnly} />
              </search>
              <Card title={`${shown.length} of ${found.gaps.length} gaps`}>
                {shown.length === 0 ? (
                  <Empty>{otherOnly ? 'Every answer is the default one.' : 'No gap matches.'}</Empty>
                ) : (
                  <ul class="rows">
                    {shown.map((gap) => (
                      <GapRow key={gap.id} gap={gap} onChange={changed} />
                    ))}
                  </ul>
                )}
              </Card>
            </>
          );
        }}
      </Load>
    </>
  );
}

function ProfileChoice({
  profile: { name, shipped, differences },
  onChange,
}: {
  readonly profile: Profile;
  readonly onChange: () => Promise<unknown>;
}) {
  const [chosen, setChosen] = useState('');
  const announce = useAnnounce();
  const take = useAction(async () => {
    await told(control.PUT('/profile', { body: { profile: chosen } }));
    await onChange();
    announce(`The profile ${chosen} is in force.`);
  });
  const count = Object.keys(differences).length;
  return (
    <Card
      title={`Profile ${name}`}
      hint={
        count === 0
          ? 'Every answer is the default one.'
          : `${count === 1 ? 'One answer is' : `${count} answers are`} not the default.`
      }
    >
      <form
        class="row fields"
        onSubmit={(event) => {
          event.preventDefault();
          void take.run();
        }}
      >
        <Select label="Take up a shipped profile whole" value={chosen} onInput={setChosen}>
          <option value="">choose…</option>
          {shipped.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </Select>
        <Button type="submit" busy={take.busy} disabled={chosen === ''}>
          Take it up
        </Button>
      </form>
      <FailureNote failure={take.failure} />
    </Card>
  );
}
