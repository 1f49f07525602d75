import { callPath, control, type Schemas, told } from '../api/client.ts';
import { useAction, useLoad } from '../api/hooks.ts';
import { dashboardOf, ownSandbox } from '../api/place.ts';
import { useWorld } from '../api/world.tsx';
import type { ViewProps } from '../routes.ts';
import { useAnnounce } from '../ui/announce.tsx';
import { Button, ConfirmButton } from '../ui/button.tsx';
import { Card, ViewHead } from '../ui/card.tsx';
import { CopyButton } from '../ui/copy.tsx';
import { FailureNote } from '../ui/failure-note.tsx';
import { Empty, Load } from '../ui/load.tsx';
import { NewSandbox } from './new-sandbox.tsx';

/** Worlds beside this one, on the same server. */
export function SandboxesView(_props: ViewProps) {
  const list = useLoad(() => told(control.GET('/sandboxes')));
  const world = useWorld();
  const announce = useAnnounce();
  const changed = async (message: string) => {
    await Promise.all([list.reload(), world.reload()]);
    announce(message);
  };
  const reset = useAction(async (name: string) => {
    await callPath('POST', `${dashboardOf(name)}reset`);
    await changed(`Sandbox ${name} is as it began.`);
  });
  const forget = useAction(async (sandbox: string) => {
    await told(control.DELETE('/sandboxes/{sandbox}', { params: { path: { sandbox } } }));
    await changed(`Sandbox ${sandbox} is deleted.`);
  });
  const forgetAll = useAction(async () => {
    await told(control.DELETE('/sandboxes'));
    await changed('Every sandbox is deleted.');
  });
  return (
    <>
      <ViewHead
        title="Sandboxes"
        actions={
          <ConfirmButton
            onConfirm={forgetAll.run}
            question="Really delete all?"
            disabled={!list.data?.sandboxes.length}
          >
            Delete all
          </ConfirmButton>
        }
      >
        Worlds of their own on this server, so that parallel tests need nothing but another base URL. Any{' '}
        <code>/~NAME</code> makes one on first use.
      </ViewHead>
      <NewSandbox onMade={(name) => changed(`Sandbox ${name} is made.`)} />
      <Card title="On this server">
        <FailureNote failure={reset.failure ?? forget.failure ?? forgetAll.failure} />
        <Load of={list}>
          {({ sandboxes, limit }) =>
            sandboxes.length === 0 ? (
              <Empty>None yet; there may be {limit}.</Empty>
            ) : (
              <ul class="rows">
                {sandboxes.map((sandbox) => (
                  <SandboxRow key={sandbox.name} sandbox={sandbox} onReset={reset.run} onDelete={forget.run} />
                ))}
              </ul>
            )
          }
        </Load>
      </Card>
    </>
  );
}

interface RowProps {
  readonly sandbox: Schemas['Sandbox'];
  readonly onReset: (name: string) => unknown;
  readonly onDelete: (name: string) => unknown;
}

function SandboxRow({ sandbox: { name, baseUrl, profile, seed, changes, requests }, onReset, onDelete }: RowProps) {
  return (
    <li>
      <div class="grow">
        <strong>{name}</strong>
        {name === ownSandbox && <span class="badge accent">this one</span>}
        <p class="muted">
          profile {profile} · seed {seed} · {changes} changed records · {requests} requests
        </p>
      </div>
      <div class="row">
        <a class="button" href={dashboardOf(name)} aria-label={`Open ${name}`}>
          Open
        </a>
        <CopyButton text={baseUrl} what={`base URL of ${name}`}>
          Copy URL
        </CopyButton>
        <Button label={`Reset ${name}`} onClick={() => onReset(name)}>
          Reset
        </Button>
        <ConfirmButton label={`Delete ${name}`} onConfirm={() => onDelete(name)}>
          Delete
        </ConfirmButton>
      </div>
    </li>
  );
}
