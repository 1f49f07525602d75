import { control, type Schemas, unwrap } from '../api/client.ts';
import { useLoad } from '../api/load.ts';
import { curlCommand, defaultPersona, mint } from '../api/tokens.ts';
import { useWorld } from '../api/world.tsx';
import type { ViewProps } from '../routes.ts';
import { Card, ViewHead } from '../ui/card.tsx';
import { CopyButton, CopyLine } from '../ui/copy.tsx';
import { Fact, List } from '../ui/list.tsx';
import { Load } from '../ui/load.tsx';
import { PersonaCard } from './overview/persona.tsx';
import { UpstreamCard } from './overview/upstream.tsx';
import { WorldActions } from './overview/world-actions.tsx';

/** What a client needs to start: the address, users and ids. */
export function OverviewView(_props: ViewProps) {
  const { data: info } = useWorld();
  // A change of the profile or the seed changes how users sign in.
  const inputs = [info?.profile, info?.seed, info?.counts.users];
  const target = useLoad(() => unwrap(control.GET('/target')), inputs);
  const personas = useLoad(() => unwrap(control.GET('/personas')), inputs);
  return (
    <>
      <ViewHead title="Overview" hint="Everything a client needs to get started." />
      <Load of={target}>{(loaded) => <Connect target={loaded} personas={personas.data ?? []} />}</Load>
      {info?.upstream && <UpstreamCard upstream={info.upstream} />}
      <Card title="Personas" hint="Users who can sign in. Each copy of a token is a new token.">
        <Load of={personas}>
          {(people) => (
            <List items={people} empty="Nobody can sign in: this world has no users." class="columns personas">
              {(persona) => <PersonaCard key={persona.user} persona={persona} />}
            </List>
          )}
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

const idNames = {
  recordingId: 'Recording',
  otherRecordingId: 'Other recording',
  tenantId: 'Tenant',
  otherTenantId: 'Other tenant',
} as const;

function Connect({ target: { baseUrl, resources }, personas }: ConnectProps) {
  const caller = defaultPersona(personas);
  const { recordingId } = resources;
  return (
    <Card title="Connect">
      <dl class="facts">
        <Fact name="Base URL">
          <CopyLine text={baseUrl} what="base URL" />
        </Fact>
        {Object.entries(idNames).map(([field, name]) => {
          const id = resources[field as keyof typeof idNames];
          return (
            id && (
              <Fact key={field} name={name}>
                <CopyLine text={id} what={`${name.toLowerCase()} id`} />
              </Fact>
            )
          );
        })}
        {caller && recordingId && (
          <Fact name="Try it">
            <div class="row copy-line">
              <code class="sunken">{curlCommand(baseUrl, recordingId, 'Bearer …')}</code>
              <CopyButton
                kind="primary"
                what={`curl command with a new JWT of ${caller.username}`}
                text={async () => curlCommand(baseUrl, recordingId, (await mint(caller.user)).header)}
              />
            </div>
          </Fact>
        )}
      </dl>
    </Card>
  );
}
