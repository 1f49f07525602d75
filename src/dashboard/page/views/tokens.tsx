import { useState } from 'preact/hooks';
import { control, type Schemas, told } from '../api/client.ts';
import { useAction, useLoad } from '../api/hooks.ts';
import type { ViewProps } from '../routes.ts';
import { useAnnounce } from '../ui/announce.tsx';
import { Button } from '../ui/button.tsx';
import { Card, ViewHead } from '../ui/card.tsx';
import { CopyLine } from '../ui/copy.tsx';
import { FailureNote } from '../ui/failure-note.tsx';
import { Field, Select } from '../ui/field.tsx';
import { moment } from '../ui/time.ts';

type Minted = Schemas['MintedToken'];

const kinds: Record<Minted['kind'], string> = {
  access: 'Access token (JWT)',
  refresh: 'Refresh token',
  pat: 'Personal access token',
};
const defects: Record<Minted['defect'], string> = {
  none: 'None: it is good',
  expired: 'Expired',
  tampered: 'Tampered with',
  unsigned: 'Unsigned',
};

/** Tokens for any user, good or bad; and the end of one. */
export function TokensView({ rest: user }: ViewProps) {
  return (
    <>
      <ViewHead title="Tokens">
        For any user, of any lifetime, good or bad. Stored ones are listed under <a href="#/state/pats">State</a>.
      </ViewHead>
      <Mint key={user} user={user} />
      <Expire />
    </>
  );
}

function Mint({ user: chosen }: { readonly user: string }) {
  const personas = useLoad(() => told(control.GET('/personas')));
  const [typed, setUser] = useState(chosen === '' ? undefined : chosen);
  // Somebody has to be it; whoever the suite acts as is there in every world.
  const user = typed ?? personas.data?.[0]?.user ?? '';
  const [kind, setKind] = useState<Minted['kind']>('access');
  const [defect, setDefect] = useState<Minted['defect']>('none');
  const [lifetime, setLifetime] = useState('');
  const [scopes, setScopes] = useState('');
  const [minted, setMinted] = useState<Minted>();
  const announce = useAnnounce();
  const act = useAction(async () => {
    const seconds = lifetime.trim() === '' ? {} : { lifetime: Number(lifetime) };
    const pat = kind === 'pat' && {
      name: 'Made in the dashboard',
      ...(scopes.trim() && { scopes: scopes.trim().split(/[\s,]+/) }),
    };
    setMinted(await told(control.POST('/tokens', { body: { user: user.trim(), kind, defect, ...seconds, ...pat } })));
    announce('The token is made.');
  });
  const submit = (event: Event) => {
    event.preventDefault();
    void act.run();
  };
  return (
    <Card title="Make a token">
      <form class="stack" onSubmit={submit}>
        <div class="row fields">
          <Field
            label="User id"
            value={user}
            onInput={setUser}
            required
            options={personas.data?.map((persona) => persona.user)}
            wrong={act.failure?.about('user')}
          />
          <Select
            label="Kind"
            value={kind}
            onInput={(value) => setKind(value as Minted['kind'])}
            wrong={act.failure?.about('kind')}
          >
            {Object.entries(kinds).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </Select>
          <Select
            label="Defect"
            value={defect}
            onInput={(value) => setDefect(value as Minted['defect'])}
            wrong={act.failure?.about('defect')}
          >
            {Object.entries(defects).map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </Select>
          <Field
            label="Lifetime in seconds"
            type="number"
            value={lifetime}
            onInput={setLifetime}
            placeholder="as the profile says"
            wrong={act.failure?.about('lifetime')}
          />
          {kind === 'pat' && (
            <Field
              label="Scopes"
              value={scopes}
              onInput={setScopes}
              placeholder="as the profile says"
              wrong={act.failure?.about('scopes')}
            />
          )}
        </div>
        <FailureNote failure={act.failure} />
        <div class="row">
          <Button type="submit" kind="primary" busy={act.busy}>
            Make it
          </Button>
        </div>
      </form>
      {minted && <MintedFacts minted={minted} />}
    </Card>
  );
}

function MintedFacts({ minted: { token, header, expiresAt, user } }: { readonly minted: Minted }) {
  return (
    <dl class="facts result">
      <dt>Token</dt>
      <dd>
        <CopyLine text={token} what={`token of ${user}`} />
      </dd>
      <dt>Header</dt>
      <dd>
        <CopyLine text={`Authorization: ${header}`} what="header Authorization" />
      </dd>
      <dt>Expires</dt>
      <dd>{expiresAt ? `${moment(expiresAt)}, in the world's time` : 'never'}</dd>
    </dl>
  );
}

function Expire() {
  const [token, setToken] = useState('');
  const [ended, setEnded] = useState<string>();
  const act = useAction(async () => {
    setEnded(undefined);
    const { kind, user } = await told(control.POST('/tokens/expire', { body: { token: token.trim() } }));
    setEnded(`Ended: ${kinds[kind]} of ${user}.`);
    setToken('');
  });
  const submit = (event: Event) => {
    event.preventDefault();
    void act.run();
  };
  return (
    <Card title="End a token" hint="From then on it is refused as an expired one.">
      <form class="stack" onSubmit={submit}>
        <Field
          label="Token"
          type="area"
          value={token}
          onInput={setToken}
          required
          wrong={act.failure?.about('token')}
        />
        <FailureNote failure={act.failure} />
        {ended && (
          <p class="note good" role="status">
            {ended}
          </p>
        )}
        <div class="row">
          <Button type="submit" busy={act.busy}>
            End it
          </Button>
        </div>
      </form>
    </Card>
  );
}
