import type { Schemas } from '../../api/client.ts';
import { mint } from '../../api/mint.ts';
import { CopyBlock, CopyButton, CopyLine } from '../../ui/copy.tsx';

/** One person: how to sign in as them, and tokens ready to use. */
export function PersonaCard({ persona }: { readonly persona: Schemas['Persona'] }) {
  const { user, username, administrator, confirmed, tenant, sso, login, actor } = persona;
  const fresh = (kind: 'access' | 'pat') => async () => (await mint(user, kind)).token;
  return (
    <li class="persona">
      <div class="persona-head">
        <h3>{username}</h3>
        <span class={`badge ${administrator ? 'accent' : ''}`}>{administrator ? 'administrator' : 'member'}</span>
        {actor && (
          <span class="badge" title="This actor of the contract suite">
            suite: {actor}
          </span>
        )}
        {!confirmed && <span class="badge warn">not confirmed</span>}
      </div>
      <dl class="facts">
        <dt>User</dt>
        <dd>
          <CopyLine text={user} what={`user id of ${username}`} />
        </dd>
        <dt>Tenant</dt>
        <dd>
          <CopyLine text={tenant} what={`tenant of ${username}`} />
        </dd>
      </dl>
      <CopyBlock title="SSO claims" body={sso} what={`SSO claims of ${username}`} />
      {login && <CopyBlock title="Login" body={login} what={`login of ${username}`} />}
      <div class="row">
        <CopyButton what={`fresh JWT of ${username}`} text={fresh('access')} kind="primary">
          Copy JWT
        </CopyButton>
        <CopyButton what={`fresh PAT of ${username}`} text={fresh('pat')}>
          Copy PAT
        </CopyButton>
        <a class="button quiet" href={`#/tokens/${encodeURIComponent(user)}`}>
          Other tokens…
        </a>
      </div>
    </li>
  );
}
