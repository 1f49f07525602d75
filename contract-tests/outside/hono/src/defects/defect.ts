import type { Hooks } from '../hooks.ts';
import type { World } from '../world.ts';
import type { Says } from './says.ts';

export type Kind = 'plain' | 'stateful' | 'conditional' | 'timed' | 'concurrent';

/** One bug: the sentence it breaks, how it behaves, and the advice that plants it. */
export interface Defect extends Says {
  id: string;
  kind: Kind;
  description: string;
  hooks: (world: World) => Hooks;
}

export const defect = (id: string, kind: Kind, says: Says, description: string, hooks: Defect['hooks']): Defect => ({
  id,
  kind,
  ...says,
  description,
  hooks,
});
