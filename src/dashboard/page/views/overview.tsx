import { useState } from 'preact/hooks';
import { asText } from '../../../../contract-tests/values/json.ts';
import type { ViewProps } from '../address.ts';
import { control, defaultPersona, mint, perform, type Schemas, unwrap } from '../api/client.ts';
import { type BodyOf, namedSchema } from '../api/document.ts';
import { useLoad, useWorld } from '../api/load.ts';
import { useAction } from '../ui/action.tsx';
import { ActButton, CopyButton, CopyLine } from '../ui/button.tsx';
import { operationFields } from '../ui/fields.ts';
import { Checks, Form } from '../ui/form.tsx';
import { Card, Empty, Facts, FailureNote, Fold, Load, ViewHead } from '../ui/parts.tsx';

export function OverviewView(_props: ViewProps) {
  const { data: info } = useWorld();
  const target = useLoad(() => unwrap(control.GET('/target')));
  const personas = useLoad(() => unwrap(control.GET('/personas')));
  const profile = useLoad(() => unwrap(control.GET('/profile')));
  return (
    <>
      <ViewHead title="Overview" hint="Everything a client needs to get started." />
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
        <Reset />
        {info && <Reseed info={info} />}
      </div>
    </>
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
    const body = { only, ...(mocked.length < operations.length && { mockOnly: mocked }) };
    const answering = mocked.includes(changed) ? 'the mock' : url;
    return perform(control.PUT('/upstream', { body }), `${changed} is answered by ${answering}`);
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

type Kept = NonNullable<NonNullable<BodyOf<'reset'>>['keep']>;

function Reset() {
  const [kept, setKept] = useState<readonly string[]>([]);
  const [keep] = operationFields('reset', { keep: {} });
  return (
    <Card
      title="Reset"
      hint="Restores the initial records, ids, clock, faults and profile. Keeps the journal and the snapshots."
    >
      <fieldset class="row" aria-label="Keep">
        Keep
        <Checks options={keep?.options ?? []} checked={kept} onChange={setKept} />
      </fieldset>
      <div class="row">
        <ActButton
          text="Reset"
          asks
          act={() => perform(control.POST('/reset', { body: { keep: kept as Kept } }), 'World reset.')}
        />
      </div>
    </Card>
  );
}

const Reseed = ({ info: { seed, counts } }: { readonly info: Schemas['Info'] }) => (
  <Card title="Reseed" hint="Replaces all records. Tokens of another seed are no longer valid.">
    <Form
      fields={operationFields('reset', {
        seed: { label: 'Seed', placeholder: String(seed) },
        recordings: { label: 'Recordings', placeholder: String(counts.recordings) },
      })}
      act={(body: BodyOf<'reset'>) => perform(control.POST('/reset', { body }), 'World reseeded.')}
      submit="Reseed"
    />
  </Card>
);
