/** Everything the instances of one started server share. */
import type { Hooks } from './hooks.ts';
import { createIds } from './ids.ts';
import { Memory } from './memory.ts';
import type { Settings } from './settings.ts';
import { Store } from './store.ts';
import { createSigner, type TokenSigner } from './tokens.ts';

export interface World {
  settings: Settings;
  hooks: readonly Hooks[];
  store: Store;
  memory: Memory;
  ids: ReturnType<typeof createIds>;
  signer: TokenSigner;
  startedAt: number;
}

export function createWorld(settings: Settings, hooks: readonly Hooks[]): World {
  return {
    settings,
    hooks,
    store: new Store(),
    memory: new Memory(),
    ids: createIds(settings.ids),
    signer: createSigner(),
    startedAt: Date.now(),
  };
}
