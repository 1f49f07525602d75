import { useState } from 'preact/hooks';
import type { ViewProps } from '../address.ts';
import { control, type Minted, patName, unwrap } from '../api/client.ts';
import type { BodyOf } from '../api/document.ts';
import { useLoad } from '../api/load.ts';
import { CopyLine } from '../ui/button.tsx';
import { operationFields } from '../ui/fields.ts';
import { Form } from '../ui/form.tsx';
import { Card, Facts, ViewHead } from '../ui/parts.tsx';
import { formatTime } from '../ui/text.ts';

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

export const TokensView = ({ rest: user }: ViewProps) => (
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

function Mint({ user }: { readonly user: string }) {
  const personas = useLoad(() => unwrap(control.GET('/personas')));
  const [minted, setMinted] = useState<Minted>();
  const users = personas.data?.map((persona) => persona.user) ?? [];
  const placeholder = 'as the profile says';
  const isPat = ({ kind }: { readonly kind?: string }) => kind === 'pat';
  return (
    <Card title="New token">
      <Form
        fields={operationFields('mintToken', {
          user: { label: 'User id', options: users, initial: user || users[0] },
          kind: { label: 'Kind', labels: kinds },
          defect: { label: 'Defect', labels: defects },
          lifetime: { label: 'Lifetime in seconds', placeholder },
          scopes: { label: 'Scopes', kind: 'text', type: 'list', placeholder, when: isPat },
        })}
        act={async (body: BodyOf<'mintToken'>) => {
          const name = isPat(body) && { name: patName };
          setMinted(await unwrap(control.POST('/tokens', { body: { ...body, ...name } })));
          return 'Token created.';
        }}
        submit="Create token"
        kind="primary"
      />
      {minted && (
        <Facts
          class="separated"
          of={{
            Token: <CopyLine copied={minted.token} what={`token of ${minted.user}`} />,
            Header: <CopyLine copied={`Authorization: ${minted.header}`} what="Authorization header" />,
            Expires: minted.expiresAt ? `${formatTime(minted.expiresAt)}, world time` : 'never',
          }}
        />
      )}
    </Card>
  );
}

const Expire = () => (
  <Card title="Expire a token" hint="The mock then rejects it as expired.">
    <Form
      fields={operationFields('expireToken', { token: { label: 'Token', kind: 'area' } })}
      act={async (body: BodyOf<'expireToken'>) => {
        const { kind, user } = await unwrap(control.POST('/tokens/expire', { body }));
        return `Expired: ${kinds[kind]} of ${user}.`;
      }}
      clears={['token']}
      submit="Expire token"
    />
  </Card>
);
