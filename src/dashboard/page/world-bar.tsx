import { currentSandbox, dashboardPath, storeControlToken } from './api/client.ts';
import type { Failure } from './api/failure.ts';
import { useWorld } from './api/load.ts';
import { Form } from './ui/form.tsx';
import { Card, FailureNote } from './ui/parts.tsx';
import { formatMinute } from './ui/text.ts';

/** Names the world that the page belongs to. Always visible, because every button acts on it. */
export function WorldBar() {
  const { data, failure } = useWorld();
  return (
    <div class="row small world-bar">
      <span>
        World <strong>{currentSandbox ? `~${currentSandbox}` : 'main'}</strong>
      </span>
      {currentSandbox && <a href={dashboardPath()}>Go to the main world</a>}
      {data && (
        <>
          <span>
            Profile <strong>{data.profile}</strong>
          </span>
          <span>
            Seed <strong>{data.seed}</strong>
          </span>
          <span class="row time">
            {formatMinute(data.time)}
            {data.frozen && <span class="badge warn">frozen</span>}
          </span>
          {data.ownViolations > 0 && (
            <span class="badge bad" title="The mock's log names them">
              {data.ownViolations} responses violated the spec: a bug in the mock
            </span>
          )}
        </>
      )}
      {failure && failure.status !== 403 && (
        <span class="badge bad" role="alert">
          {failure.message}
        </span>
      )}
    </div>
  );
}

/** Asks for the control token, in place of every view while the control plane rejects this page. */
export const TokenGate = ({ failure }: { readonly failure: Failure }) => (
  <Card title="The control plane requires a token">
    <h1 class="visually-hidden" tabIndex={-1}>
      Control token
    </h1>
    <FailureNote failure={failure} />
    <Form
      fields={[
        {
          name: 'token',
          label: 'Control token',
          kind: 'password',
          hint: 'The token that the mock was started with. This tab forgets it when it is closed.',
          required: true,
        },
      ]}
      act={async ({ token }: { readonly token: string }) => storeControlToken(token)}
      submit="Continue"
      kind="primary"
    />
  </Card>
);
