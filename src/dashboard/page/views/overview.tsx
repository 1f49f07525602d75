import { control, type Schemas, told } from '../api/client.ts';
import { useLoad } from '../api/hooks.ts';
import { curlLine, mint } from '../api/mint.ts';
import { useWorld } from '../api/world.tsx';
import type { ViewProps } from '../routes.ts';
import { Card, ViewHead } from '../ui/card.tsx';
import { CopyButton, CopyLine } from '../ui/copy.tsx';
import { Empty, Load } from '../ui/load.tsx';
import { PersonaCard } from './overview/persona.tsx';
import { WorldActions } from './overview/world-actions.tsx';

/** What a client needs to begin: where, who, which ids. */
export function OverviewView(_props: ViewProps) {
  const { data: info } = useWorld();
  // Whoever changes the profile or the seed changes how one signs in.
  const needs = [info?.profile, info?.seed, info?.counts.users];
  const target = useLoad(() => told(control.GET('/target')), needs);
  const personas = useLoad(() => told(control.GET('/personas')), needs);
  return (
    <>
      <ViewHead title="Overview">Everything a client needs to begin.</ViewHead>
      <Load of={target}>{(found) => <Connect target={found} personas={personas.data ?? []} />}</Load>
      <Card title="Personas" hint="Whoever signs in. Tokens are made afresh each time you copy one.">
        <Load of={personas}>
          {(people) =>
            people.length === 0 ? (
              <Empty>Nobody can sign in: this world has no users.</Empty>
            ) : (
              <ul class="personas">
                {people.map((persona) => (
                  <PersonaCard key={persona.user} persona={persona} />
                ))}
              </ul>
            )
          }
        </Load>
      </Card>
      <WorldActions />
    </>
  );
}

interface ConnectProps {
  readonly target: Schemas['Target'];
  readonly personas: readonly Schemas['Persona'][];
}

const idNames = { recordingId: 'Recording', tenantId: 'Tenant', otherTenantId: 'Another tenant' } as const;

function Connect({ target: { baseUrl, resources }, personas }: ConnectProps) {
  const caller = personas.find(({ actor }) => actor === 'admin') ?? personas[0];
  const { recordingId } = resources;
  const ids = Object.entries(idNames).flatMap(([field, name]) => {
    const id = resources[field as keyof typeof idNames];
    return id === undefined ? [] : [{ name, id }];
  });
  return (
    <Card title="Connect">
      <dl class="facts">
        <dt>Base URL</dt>
        <dd>
          <CopyLine text={baseUrl} what="base URL" />
        </dd>
        {ids.map(({ name, id }) => (
          <div key={name} class="contents">
            <dt>{name}</dt>
            <dd>
              <CopyLine text={id} what={`${name.toLowerCase()} id`} />
            </dd>
          </div>
        ))}
        {caller && recordingId && (
          <>
            <dt>Try</dt>
            <dd>
              <div class="copy-line">
                <code>{curlLine(baseUrl, recordingId, 'Bearer …')}</code>
                <CopyButton
                  kind="primary"
                  what={`curl line with a fresh JWT of ${caller.username}`}
                  text={async () => curlLine(baseUrl, recordingId, (await mint(caller.user)).header)}
                />
              </div>
            </dd>
          </>
        )}
      </dl>
    </Card>
  );
}
