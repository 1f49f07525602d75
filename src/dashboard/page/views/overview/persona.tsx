import type { Schemas } from '../../api/client.ts';
import { mint } from '../../api/tokens.ts';
import { CopyBlock, CopyButton, CopyLine } from '../../ui/copy.tsx';
import { Fact } from '../../ui/list.tsx';

/** One user: how to sign in as them, and new tokens to copy. */
export function PersonaCard({ persona }: { readonly persona: Schemas['Persona'] }) {
  const { user, username, administrator, confirmed, tenant, sso, login, actor } = persona;
  return (
    <li class="surface stack persona">
      <div class="row tags">
        <h3>{username}</h3>
        <span class={`badge ${administrator ? 'accent' : ''}`}>{administrator ? 'administrator' : 'member'}</span>
        {actor && (
          <span class="badge" title="Actor of the contract suite">
            suite: {actor}
          </span>
        )}
        {!confirmed && <span class="badge warn">not confirmed</span>}
      </div>
      <dl class="facts dense">
        <Fact name="User">
          <CopyLine text={user} what={`user id of ${username}`} />
        </Fact>
        <Fact name="Tenant">
          <CopyLine text={tenant} what={`tenant of ${username}`} />
        </Fact>
      </dl>
      <CopyBlock title="SSO claims" body={sso} what={`SSO claims of ${username}`} />
      {login && <CopyBlock title="Login" body={login} what={`login of ${username}`} />}
      <div class="row">
        <CopyButton what={`new JWT of ${username}`} text={async () => (await mint(user)).token} kind="primary">
          Copy JWT
        </CopyButton>
        <CopyButton what={`new PAT of ${username}`} text={async () => (await mint(user, 'pat')).token}>
          Copy PAT
        </CopyButton>
        <a class="button quiet" href={`#/tokens/${encodeURIComponent(user)}`}>
          Other tokens…
        </a>
      </div>
    </li>
  );
}
