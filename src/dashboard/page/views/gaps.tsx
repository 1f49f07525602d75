import { useState } from 'preact/hooks';
import { control, perform, type Schemas, unwrap } from '../api/client.ts';
import { useLoad } from '../api/load.ts';
import type { ViewProps } from '../routes.ts';
import { Button } from '../ui/button.tsx';
import { Card, ViewHead } from '../ui/card.tsx';
import { Checkbox, Field } from '../ui/field.tsx';
import { Form, useForm } from '../ui/form.tsx';
import { lazily } from '../ui/lazily.tsx';
import { List } from '../ui/list.tsx';
import { Load } from '../ui/load.tsx';
import { operationFields } from '../ui/schema-fields.ts';
import { GapRow } from './gaps/gap-row.tsx';

/** The ledger of what the source document leaves open, with the answers in force. */
export function GapsView({ rest, query, setAddress }: ViewProps) {
  const { q: text = rest, as = '' } = query;
  const [changedOnly, setChangedOnly] = useState(false);
  const profile = useLoad(() => unwrap(control.GET('/profile')));
  const isShown = ({ id, question, section, isDefault }: Schemas['Gap']) =>
    !(changedOnly && isDefault) && `${id} ${question} ${section}`.toLowerCase().includes(text.trim().toLowerCase());
  const search = (q: string) => setAddress({ rest: '', query: { as, q } });
  return (
    <>
      <ViewHead
        title="Gaps"
        hint="What the source document leaves open, and what this world assumes. A changed answer applies from the next request."
        actions={
          <Button
            aria-pressed={as === 'map'}
            onClick={() => setAddress({ query: { q: text, as: as === '' ? 'map' : '' } })}
          >
            Map
          </Button>
        }
      />
      <Load of={profile}>
        {(loaded) => {
          const shown = loaded.gaps.filter(isShown);
          return (
            <>
              <ProfileForm profile={loaded} />
              {as === 'map' && <GapMap gaps={loaded.gaps} />}
              <search class="row fields">
                <Field label="Filter" kind="search" value={text} onInput={search} placeholder="id, words, section" />
                <Checkbox
                  label="Only answers that differ from the default"
                  checked={changedOnly}
                  onInput={setChangedOnly}
                />
              </search>
              <Card title={`${shown.length} of ${loaded.gaps.length} gaps`}>
                <List items={shown} empty={changedOnly ? allDefault : 'No gaps match.'}>
                  {(gap) => <GapRow key={gap.id} gap={gap} />}
                </List>
              </Card>
            </>
          );
        }}
      </Load>
    </>
  );
}

const GapMap = lazily(async () => (await import('./gaps/map.tsx')).GapMap);

const allDefault = 'Every answer is the default.';

function ProfileForm({ profile: { name, shipped, differences } }: { readonly profile: Schemas['Profile'] }) {
  const form = useForm({
    fields: operationFields('replaceProfile', {
      profile: { label: 'Apply a shipped profile', kind: 'choice', options: shipped, blank: 'choose…' },
    }),
    act: ({ profile }: { readonly profile: string }) =>
      perform(control.PUT('/profile', { body: { profile } }), `Profile ${profile} applied.`),
  });
  const count = Object.keys(differences).length;
  const differing = `${count === 1 ? 'One answer differs' : `${count} answers differ`} from the default.`;
  return (
    <Card title={`Profile ${name}`} hint={count === 0 ? allDefault : differing}>
      <Form form={form} submit="Apply" layout="inline" disabled={form.values.profile === ''} />
    </Card>
  );
}
