import type { Services } from '../hooks.ts';
import type { Pat } from '../model.ts';
import type { World } from '../world.ts';

export const writePat = (world: World, pat: Pick<Pat, 'id' | 'secret'>): string =>
  `${world.settings.patPrefix}_${pat.id}.${pat.secret}`;

/** Personal access tokens. The full token is answered once, at creation. */
export const pats = (world: World): Pick<Services, 'createPat'> => ({
  async createPat({ principal, name }) {
    const pat: Pat = {
      id: world.ids.next('pat'),
      userId: principal.user.id,
      name,
      secret: world.ids.secret('pat'),
      createdAt: Date.now(),
    };
    world.store.pats.push(pat);
    return {
      id: pat.id,
      name,
      token: writePat(world, pat),
      created_at: world.settings.timestamp(pat.createdAt),
      last_used_at: null,
    };
  },
});
