import { timingSafeEqual } from 'node:crypto';
import { verify } from 'hono/jwt';
import { unauthorized } from '../errors.ts';
import type { Services } from '../hooks.ts';
import type { Claims, Principal, User } from '../model.ts';
import type { World } from '../world.ts';

type Credentials = Pick<Services, 'authenticate' | 'verifyJwt' | 'verifyPat'>;

/** Issue times are whole seconds, so a token gets one second of grace and never dies before `expires_in`. */
const GRACE_SECONDS = 1;

const equal = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));

/** base64url leaves spare bits in the last character; only the one canonical spelling is taken. */
const isCanonical = (part: string): boolean => Buffer.from(part, 'base64url').toString('base64url') === part;

/** `<token_prefix>_<tokenId>.<secret>` taken apart, or undefined when it is something else. */
export function parsePat(token: string, prefix: string): { id: string; secret: string } | undefined {
  if (!token.startsWith(`${prefix}_`)) return undefined;
  const [id, secret, ...rest] = token.slice(prefix.length + 1).split('.');
  return id && secret && rest.length === 0 ? { id, secret } : undefined;
}

export const bearer = (header: string | undefined): string | undefined => /^bearer +(\S+)$/i.exec(header ?? '')?.[1];

export const credentials = (world: World, services: Services): Credentials => {
  const owner = (id: string): User => {
    const user = world.store.users.find((u) => u.id === id);
    if (!user) throw unauthorized('unknown');
    return user;
  };

  return {
    async authenticate({ c, header, operation }): Promise<Principal> {
      const token = bearer(header);
      if (!token) throw unauthorized('missing');
      const parts = parsePat(token, world.settings.patPrefix);
      if (parts) {
        const pat = await services.verifyPat({ c, ...parts, operation });
        return { user: owner(pat.userId), kind: 'pat', credentialId: pat.id };
      }
      const claims = await services.verifyJwt({ c, token, operation });
      return { user: owner(claims.sub), kind: 'jwt', credentialId: claims.jti };
    },

    async verifyJwt({ token }): Promise<Claims> {
      let claims: Claims;
      try {
        const checks = { alg: world.settings.signing, exp: false };
        claims = (await verify(token, world.keys.verify, checks)) as unknown as Claims;
      } catch {
        throw unauthorized('signature');
      }
      if (!token.split('.').every(isCanonical)) throw unauthorized('signature');
      if (Date.now() / 1000 >= claims.exp + GRACE_SECONDS) throw unauthorized('expired');
      return claims;
    },

    async verifyPat({ id, secret }) {
      const pat = world.store.pats.find((p) => p.id === id);
      if (!pat || !equal(pat.secret, secret)) throw unauthorized('unknown');
      return pat;
    },
  };
};
