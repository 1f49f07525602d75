import type { Hooks } from '../hooks.ts';
import type { Settings } from '../settings.ts';

/** A variation that keeps every stated sentence of the document. */
export interface StyleRow {
  id: string;
  description: string;
  settings?: Partial<Settings>;
  hooks?: Hooks;
}
