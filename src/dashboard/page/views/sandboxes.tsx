import { control, perform, type Schemas, sandboxControl, unwrap } from '../api/client.ts';
import { useLoad } from '../api/load.ts';
import { currentSandbox, dashboardPath } from '../api/location.ts';
import type { ViewProps } from '../routes.ts';
import { ChangeButton, ConfirmButton } from '../ui/button.tsx';
import { Card, ViewHead } from '../ui/card.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { List, Row } from '../ui/list.tsx';
import { Load } from '../ui/load.tsx';
import { NewSandbox } from './new-sandbox.tsx';

/** The other worlds on this server. */
export function SandboxesView(_props: ViewProps) {
  const list = useLoad(() => unwrap(control.GET('/sandboxes')));
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
          <ConfirmButton
            act={() => perform(control.DELETE('/sandboxes'), 'All sandboxes deleted.')}
            disabled={!list.data?.sandboxes.length}
          >
            Delete all
          </ConfirmButton>
        }
      />
      <NewSandbox />
      <Card title="On this server">
        <Load of={list}>
          {({ sandboxes, limit }) => (
            <List items={sandboxes} empty={`No sandboxes yet. The limit is ${limit}.`}>
              {(sandbox) => <SandboxRow key={sandbox.name} sandbox={sandbox} />}
            </List>
          )}
        </Load>
      </Card>
    </>
  );
}

function SandboxRow({ sandbox }: { readonly sandbox: Schemas['Sandbox'] }) {
  const { name, baseUrl, profile, seed, changes, requests } = sandbox;
  const reset = () => perform(sandboxControl(name).POST('/reset'), `Sandbox ${name} reset.`);
  const path = { params: { path: { sandbox: name } } };
  const remove = () => perform(control.DELETE('/sandboxes/{sandbox}', path), `Sandbox ${name} deleted.`);
  return (
    <Row
      title={name}
      badge={name === currentSandbox && <span class="badge accent">current</span>}
      details={`profile ${profile} · seed ${seed} · ${changes} changed records · ${requests} requests`}
    >
      <a class="button" href={dashboardPath(name)} aria-label={`Open ${name}`}>
        Open
      </a>
      <CopyButton text={baseUrl} what={`base URL of ${name}`}>
        Copy URL
      </CopyButton>
      <ChangeButton label={`Reset ${name}`} act={reset}>
        Reset
      </ChangeButton>
      <ConfirmButton label={`Delete ${name}`} act={remove}>
        Delete
      </ConfirmButton>
    </Row>
  );
}
