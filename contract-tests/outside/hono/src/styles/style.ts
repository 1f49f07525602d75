import type { Hooks } from '../hooks.ts';
import type { Settings } from '../settings.ts';
import type { World } from '../world.ts';

/** A conforming variation: other settings, other advice, every stated sentence kept. */
export interface Style {
  id: string;
  description: string;
  settings?: Partial<Settings>;
  hooks?: (world: World) => Hooks;
}
