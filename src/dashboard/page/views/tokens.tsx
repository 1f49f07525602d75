import { useState } from 'preact/hooks';
import type { ViewProps } from '../address.ts';
import { type Minted, patName } from '../api/client.ts';
import { call } from '../api/document.ts';
import { useLoad } from '../api/load.ts';
import { CopyLine } from '../ui/button.tsx';
import type { Values } from '../ui/fields.ts';
import { OperationForm } from '../ui/form.tsx';
import { Card, Facts, View } from '../ui/parts.tsx';
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
  <View
    title="Tokens"
    hint={
      <>
        For any user, with any lifetime, valid or defective. <a href="#/state/pats">State</a> lists those that are
        stored.
      </>
    }
  >
    <Mint key={user} user={user} />
    <Card title="Expire a token" hint="The mock then rejects it as expired.">
      <OperationForm
        of="expireToken"
        looks={{ token: { kind: 'area' } }}
        done={(expired) => `Expired: ${kinds[expired.kind]} of ${expired.user}.`}
        clears={['token']}
        submit="Expire token"
      />
    </Card>
  </View>
);

function Mint({ user }: { readonly user: string }) {
  const personas = useLoad(() => call('listPersonas', {}));
  const [minted, setMinted] = useState<Minted>();
  const users = personas.data?.map((persona) => persona.user) ?? [];
  const placeholder = 'as the profile says';
  const when = ({ kind }: Values) => kind === 'pat';
  return (
    <Card title="New token">
      <OperationForm
        of="mintToken"
        looks={{
          user: { options: users, initial: user || users[0] },
          kind: { labels: kinds },
          defect: { labels: defects },
          lifetime: { placeholder },
          name: { initial: patName, when },
          scopes: { kind: 'text', type: 'list', placeholder, when },
        }}
        done={(result) => {
          setMinted(result);
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
