import type { Services } from '../hooks.ts';
import type { World } from '../world.ts';
import { credentials } from './credentials.ts';
import { pats } from './pats.ts';
import { recordings } from './recordings.ts';
import { scopes } from './scopes.ts';
import { signIn } from './sign-in.ts';
import { tenantKeys } from './tenant-keys.ts';

/** The faithful services, not wrapped yet; they call each other through the object returned here. */
export function createServices(world: World): Services {
  const services = {} as Services;
  return Object.assign(
    services,
    signIn(world, services),
    credentials(world, services),
    pats(world),
    recordings(world),
    tenantKeys(world),
    scopes(),
  );
}
