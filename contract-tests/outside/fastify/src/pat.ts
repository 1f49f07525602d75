/** Personal access tokens: <token_prefix>_<tokenId>.<secret>. */
import { randomBytes } from 'node:crypto';
import type { Pat, User } from './model.ts';
import { scopeNamesOf } from './scopes.ts';
import type { World } from './world.ts';

export const PAT_PREFIX = 'echopat';

const FORM = new RegExp(`^${PAT_PREFIX}_([0-9a-z]+)\\.(.+)$`);

export function createPat(
  world: World,
  user: User,
  request: { name: string; scopes?: string[]; createdAt?: number; expiresAt?: number | null },
): Pat {
  const pat: Pat = {
    id: world.ids('pat'),
    userId: user.id,
    name: request.name,
    secret: randomBytes(24).toString('base64url'),
    scopes: request.scopes ?? scopeNamesOf(user),
    createdAt: request.createdAt ?? Date.now(),
    expiresAt: request.expiresAt ?? null,
  };
  world.store.pats.set(pat.id, pat);
  return pat;
}

export function patToken(pat: Pat): string {
  return `${PAT_PREFIX}_${pat.id}.${pat.secret}`;
}

export function parsePat(token: string): { id: string; secret: string } | undefined {
  const [, id, secret] = FORM.exec(token) ?? [];
  return id !== undefined && secret !== undefined ? { id, secret } : undefined;
}
