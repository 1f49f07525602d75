import type { Worlds } from '../../core/world/worlds.ts';
import type { ClientAddress } from '../client-address.ts';
import { allowPublic } from './access.ts';
import { type Gate, publicGate } from './gate.ts';
import { sandboxKeys } from './keys.ts';
import { limitsFrom } from './limits.ts';
import type { PublicOptions } from './options.ts';

/** What the server needs of it. */
export interface PublicMode {
  readonly gate: Gate;
  readonly allow: ReturnType<typeof allowPublic>;
}

/**
 * Makes worlds public: strangers get sandboxes of their own, and nothing else.
 * @throws ConfigError for a token that could be guessed, and for unknown limits
 */
export function publicMode(
  worlds: Worlds,
  { limits: given }: PublicOptions,
  how: {
    readonly token: string | undefined;
    readonly origins: readonly string[] | undefined;
    readonly client: ClientAddress;
  },
): PublicMode {
  const limits = limitsFrom(given);
  const keyOf = sandboxKeys(how.token);
  worlds.makesOnFirstUse = false;
  worlds.services.sandboxRules = {
    keyOf,
    maxRecordings: limits['sandbox-recordings'],
    maxSnapshots: limits['sandbox-snapshots'],
  };
  return {
    gate: publicGate(worlds, limits, how.client),
    allow: allowPublic({ token: how.token ?? '', keyOf, origins: how.origins }),
  };
}
