import type { Hooks } from '../hooks.ts';
import type { Settings } from '../settings.ts';
import type { Statement } from './statements.ts';

export type DefectKind = 'plain' | 'stateful' | 'conditional' | 'timed' | 'concurrent';

/** A bug that breaks a sentence the document states. */
export interface DefectRow {
  id: string;
  section: string;
  /** the sentence, as it stands in the document */
  statement: string;
  description: string;
  kind: DefectKind;
  settings?: Partial<Settings>;
  hooks: Hooks;
}

export function defect(
  id: string,
  kind: DefectKind,
  [section, statement]: Statement,
  description: string,
  hooks: Hooks,
  settings?: Partial<Settings>,
): DefectRow {
  return { id, section, statement, description, kind, hooks, ...(settings ? { settings } : {}) };
}
