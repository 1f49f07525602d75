import { useState } from 'preact/hooks';
import { control, unwrap } from '../api/client.ts';
import type { BodyOf } from '../api/document.ts';
import { useLoad } from '../api/load.ts';
import { type Minted, patName } from '../api/tokens.ts';
import type { ViewProps } from '../routes.ts';
import { Card, ViewHead } from '../ui/card.tsx';
import { CopyLine } from '../ui/copy.tsx';
import { Form, useForm } from '../ui/form.tsx';
import { Fact } from '../ui/list.tsx';
import { operationFields } from '../ui/schema-fields.ts';
import { formatTime } from '../ui/time.ts';

const kinds: Record<Minted['kind'], string> = {
  access: 'Access token (JWT)',
  refresh: 'Refresh token',
  pat: 'Personal access token',
};
const defects: Record<Minted['defect'], string> = {
  none: 'None (valid)',
  expired: 'Expired',
  tampered: 'Tampered',
  unsigned: 'Unsigned',
};

/** Creates tokens for any user, valid or not, and expires them. */
export function TokensView({ rest: user }: ViewProps) {
  return (
    <>
      <ViewHead
        title="Tokens"
        hint={
          <>
            For any user, with any lifetime, valid or defective. <a href="#/state/pats">State</a> lists those that are
            stored.
          </>
        }
      />
      <Mint key={user} user={user} />
      <Expire />
    </>
  );
}

function Mint({ user }: { readonly user: string }) {
  const personas = useLoad(() => unwrap(control.GET('/personas')));
  const [minted, setMinted] = useState<Minted>();
  const users = personas.data?.map((persona) => persona.user) ?? [];
  const profileDefault = 'as the profile says';
  const form = useForm({
    fields: operationFields('mintToken', {
      user: { label: 'User id', options: users, initial: user || users[0] },
      kind: { label: 'Kind', labels: kinds },
      defect: { label: 'Defect', labels: defects },
      lifetime: { label: 'Lifetime in seconds', placeholder: profileDefault },
      scopes: {
        label: 'Scopes',
        kind: 'text',
        type: 'list',
        placeholder: profileDefault,
        when: ({ kind }) => kind === 'pat',
      },
    }),
    act: async (body: BodyOf<'mintToken'>) => {
      const name = body.kind === 'pat' && { name: patName };
      setMinted(await unwrap(control.POST('/tokens', { body: { ...body, ...name } })));
      return 'Token created.';
    },
  });
  return (
    <Card title="New token">
      <Form form={form} submit="Create token" kind="primary" />
      {minted && (
        <dl class="facts separated">
          <Fact name="Token">
            <CopyLine text={minted.token} what={`token of ${minted.user}`} />
          </Fact>
          <Fact name="Header">
            <CopyLine text={`Authorization: ${minted.header}`} what="Authorization header" />
          </Fact>
          <Fact name="Expires">{minted.expiresAt ? `${formatTime(minted.expiresAt)}, world time` : 'never'}</Fact>
        </dl>
      )}
    </Card>
  );
}

function Expire() {
  const [expired, setExpired] = useState<string>();
  const form = useForm({
    fields: operationFields('expireToken', { token: { label: 'Token', kind: 'area' } }),
    act: async (body: BodyOf<'expireToken'>) => {
      setExpired(undefined);
      const { kind, user } = await unwrap(control.POST('/tokens/expire', { body }));
      setExpired(`Expired: ${kinds[kind]} of ${user}.`);
    },
    clears: ['token'],
  });
  return (
    <Card title="Expire a token" hint="The mock then rejects it as expired.">
      <Form form={form} submit="Expire token" />
      {expired && (
        <p class="note good small" role="status">
          {expired}
        </p>
      )}
    </Card>
  );
}
