import { asText } from '../../../../contract-tests/values/json.ts';
import { defaultPersona, mint, type Schemas } from '../api/client.ts';
import { call, namedSchema } from '../api/document.ts';
import { useLoad, useWorld } from '../api/load.ts';
import { useAction } from '../ui/action.tsx';
import { CopyButton, CopyLine } from '../ui/button.tsx';
import { Checks, OperationForm } from '../ui/form.tsx';
import { Card, Empty, Facts, FailureNote, Fold, Load, View } from '../ui/parts.tsx';

export function OverviewView() {
  const { data: info } = useWorld();
  const target = useLoad(() => call('getTarget', {}));
  const personas = useLoad(() => call('listPersonas', {}));
  const profile = useLoad(() => call('getProfile', {}));
  return (
    <View title="Overview" hint="Everything a client needs to get started.">
      <Card title="Personas" hint="Users who can sign in. Each click makes a new token.">
        <Load of={personas}>
          {(people) =>
            people.length === 0 ? (
              <Empty>No user can sign in: this world has no users.</Empty>
            ) : (
              <ul class="rows">
                {people.map((persona) => (
                  <Persona key={persona.user} persona={persona} />
                ))}
              </ul>
            )
          }
        </Load>
      </Card>
      <Load of={target}>{(loaded) => <Connect target={loaded} personas={personas.data ?? []} />}</Load>
      <Assumptions gaps={profile.data?.gaps.filter(({ isAssumed, responses }) => isAssumed && responses > 0) ?? []} />
      {info?.upstream && <Upstream upstream={info.upstream} />}
      <div class="columns">
        <Card
          title="Reset"
          hint="Restores the initial records, ids, clock, faults and profile. Keeps the journal and the snapshots."
        >
          <OperationForm
            of="reset"
            looks={{ keep: {} }}
            done={() => 'World reset.'}
            submit="Reset"
            kind="danger"
            asks
          />
        </Card>
        {info && (
          <Card title="Reseed" hint="Replaces all records. Tokens of another seed are no longer valid.">
            <OperationForm
              of="reset"
              looks={{
                seed: { placeholder: String(info.seed) },
                recordings: { placeholder: String(info.counts.recordings) },
              }}
              done={() => 'World reseeded.'}
              submit="Reseed"
            />
          </Card>
        )}
      </div>
    </View>
  );
}

const curlCommand = (baseUrl: string, recording: string, authorization: string): string =>
  `curl -X PATCH '${baseUrl}/v1/echo/recordings/${encodeURIComponent(recording)}' -H 'Authorization: ${authorization}' -H 'Content-Type: application/json' -d '{"title":"Hello"}'`;

interface ConnectProps {
  readonly target: Schemas['Target'];
  readonly personas: readonly Schemas['Persona'][];
}

function Connect({ target: { baseUrl, resources }, personas }: ConnectProps) {
  const caller = defaultPersona(personas);
  const { recordingId, otherRecordingId, tenantId, otherTenantId } = resources;
  const idLine = (what: string, id: string | undefined) => id && <CopyLine copied={id} what={what} />;
  return (
    <Card title="Connect">
      <Facts
        of={{
          'Base URL': <CopyLine copied={baseUrl} what="base URL" />,
          Recording: idLine('recording id', recordingId),
          'Other recording': idLine('other recording id', otherRecordingId),
          Tenant: idLine('tenant id', tenantId),
          'Other tenant': idLine('other tenant id', otherTenantId),
          'Try it': caller && recordingId && (
            <CopyLine
              shown={curlCommand(baseUrl, recordingId, 'Bearer …')}
              kind="primary"
              what={`curl command with a new JWT of ${caller.username}`}
              copied={async () => curlCommand(baseUrl, recordingId, (await mint(caller.user)).header)}
            />
          ),
        }}
      />
    </Card>
  );
}

function Assumptions({ gaps }: { readonly gaps: readonly Schemas['Gap'][] }) {
  if (gaps.length === 0) return null;
  return (
    <Card title="Assumptions">
      <p>
        This world's responses rested on {gaps.length} {gaps.length === 1 ? 'assumption' : 'assumptions'}:{' '}
        {gaps.map(({ id, question }, at) => (
          <>
            {at > 0 && ', '}
            <a href={`#/gaps/${id}`} title={question}>
              {id}
            </a>
          </>
        ))}
        .
      </p>
    </Card>
  );
}

/** The service behind the mock: which operations the mock answers in its place, from the next request on. */
function Upstream({ upstream: { url, only, mockOnly } }: { readonly upstream: Schemas['Upstream'] }) {
  const operations = (namedSchema('OperationId').enum ?? []).map(asText);
  const { run, failure } = useAction(async (mocked: string[], changed: string) => {
    await call('splitUpstream', { only, ...(mocked.length < operations.length && { mockOnly: mocked }) });
    return `${changed} is answered by ${mocked.includes(changed) ? 'the mock' : url}`;
  });
  return (
    <Card
      title="Service behind the mock"
      hint={`${url} answers what the mock does not know, and each operation that is not ticked here.`}
    >
      <div class="row">
        <Checks options={operations} checked={mockOnly ?? operations} onChange={(...change) => void run(...change)} />
      </div>
      {only.length > 0 && <p class="small">With any selection, it answers {only.join(', ')}.</p>}
      <FailureNote failure={failure} />
    </Card>
  );
}

function Persona({ persona }: { readonly persona: Schemas['Persona'] }) {
  const { user, username, administrator, confirmed, tenant, sso, login, actor } = persona;
  return (
    <li>
      <Fold
        class="persona"
        summary={
          <>
            <strong>{username}</strong>
            <span class={`badge ${administrator ? 'accent' : ''}`}>{administrator ? 'administrator' : 'member'}</span>
            {!confirmed && <span class="badge warn">not confirmed</span>}
          </>
        }
      >
        <Facts
          of={{
            User: <CopyLine copied={user} what={`user id of ${username}`} />,
            Tenant: <CopyLine copied={tenant} what={`tenant of ${username}`} />,
            'SSO claims': <CopyJson body={sso} what={`SSO claims of ${username}`} />,
            Login: login && <CopyJson body={login} what={`login of ${username}`} />,
            'Contract suite': actor && `actor ${actor}`,
            Tokens: <a href={`#/tokens/${encodeURIComponent(user)}`}>Other tokens…</a>,
          }}
        />
      </Fold>
      <CopyButton
        text="Copy JWT"
        what={`new JWT of ${username}`}
        copied={async () => (await mint(user)).token}
        kind="primary"
      />
      <CopyButton
        text="Copy PAT"
        what={`new PAT of ${username}`}
        copied={async () => (await mint(user, 'pat')).token}
      />
    </li>
  );
}

const CopyJson = ({ body, what }: { readonly body: object; readonly what: string }) => (
  <CopyLine shown={JSON.stringify(body, null, 2)} copied={JSON.stringify(body)} what={what} />
);
