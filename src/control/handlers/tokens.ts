import { toBase64url } from '../../core/crypto.ts';
import { scopesOf } from '../../core/operations/list-token-scopes.ts';
import { issueAccessToken, issuePat, issueRefreshToken, revokeToken } from '../../core/operations/tokens.ts';
import { unknownId } from '../../core/world/edit.ts';
import type { User } from '../../core/world/records.ts';
import type { World } from '../../core/world/world.ts';
import type { Call, Handlers } from '../call.ts';
import { invalid, invalidField, notFound } from '../refusal.ts';

export const tokenHandlers = {
  mintToken: (call) => {
    const { world, body } = call;
    const { kind = 'access', defect = 'none' } = body;
    const user = userOf(world, body.user);
    if (defect === 'unsigned' && kind !== 'access')
      throw invalidField('defect', 'unsigned applies to access tokens only', {
        allowed: 'none, expired, tampered',
        example: 'tampered',
      });
    // A minute ago, well beyond clock precision.
    const lifetime = defect === 'expired' ? -60 : body.lifetime;
    const { token, expires } = mint(call, user, kind, lifetime);
    const given = defect === 'tampered' ? tampered(token) : defect === 'unsigned' ? unsignedAccessToken(token) : token;
    return {
      kind,
      user: user.id,
      token: given,
      header: `Bearer ${given}`,
      defect,
      ...(expires !== undefined && { expiresAt: expires }),
    };
  },
  expireToken: ({ world, body }) => {
    const revoked = revokeToken(world, body.token.replace(/^Bearer\s+/i, ''));
    if (revoked) return revoked;
    throw notFound(
      'This is not an access token, refresh token or PAT that this world issued. POST /_mock/tokens issues them.',
    );
  },
} satisfies Partial<Handlers>;

function userOf(world: World, id: string): User {
  const user = world.store.users.get(id);
  if (user) return user;
  throw invalid([unknownId(world, 'users', 'user', id)]);
}

const issuers = {
  access: { issue: issueAccessToken, gap: 'access-token-lifetime' },
  refresh: { issue: issueRefreshToken, gap: 'refresh-lifetime' },
} as const;

function mint(
  { world, body }: Call<'mintToken'>,
  user: User,
  kind: keyof typeof issuers | 'pat',
  lifetime: number | undefined,
) {
  const after = (seconds: number) => new Date((world.clock.nowSeconds() + seconds) * 1000).toISOString();
  if (kind === 'pat') {
    const { name = 'control plane', scopes = scopesOf(world, user) } = body;
    const { pat, token } = issuePat(world, user, name, scopes, lifetime);
    return { token, expires: pat.expires_at };
  }
  const { issue, gap } = issuers[kind];
  return { token: issue(world, user, lifetime), expires: after(lifetime ?? world.answers.get(gap)) };
}

/** The token with one character of its signature or secret altered. */
function tampered(token: string): string {
  // Not the last character: in base64url its lowest bits may be padding.
  const at = token.length - 5;
  return `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
}

/** An access token's claims with alg none and without a signature. */
function unsignedAccessToken(token: string): string {
  const [, claims = ''] = token.split('.');
  return `${toBase64url('{"alg":"none","typ":"JWT"}')}.${claims}.`;
}
