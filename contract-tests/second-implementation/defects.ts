/** The catalogue of defects: everything that this implementation can be made to do wrong, one at a time. */
import { ACCESS_DEFECTS } from './defects-access.ts';
import { CALLER_DEFECTS } from './defects-callers.ts';
import { GENERAL_DEFECTS } from './defects-general.ts';
import { KEY_LIST_DEFECTS } from './defects-key-lists.ts';
import { KEY_DEFECTS } from './defects-keys.ts';
import { RECORD_DEFECTS } from './defects-record.ts';
import { SET_DEFECTS } from './defects-sets.ts';
import { SSO_DEFECTS } from './defects-sso.ts';
import { TITLE_DEFECTS } from './defects-titles.ts';
import { TOKEN_DEFECTS } from './defects-tokens.ts';
import { UPDATE_DEFECTS } from './defects-update.ts';
import type { Defect } from './hooks.ts';

const ALL = [
  ...SSO_DEFECTS,
  ...UPDATE_DEFECTS,
  ...SET_DEFECTS,
  ...TITLE_DEFECTS,
  ...RECORD_DEFECTS,
  ...KEY_DEFECTS,
  ...KEY_LIST_DEFECTS,
  ...ACCESS_DEFECTS,
  ...TOKEN_DEFECTS,
  ...CALLER_DEFECTS,
  ...GENERAL_DEFECTS,
] as const;

export type DefectId = (typeof ALL)[number]['id'];

/** All defects; each is visible to a black-box client in the default style. */
export const DEFECTS: readonly Defect<DefectId>[] = ALL;

/** The defects of these ids; throws for an unknown one. */
export function findDefects(ids: readonly string[]): Defect[] {
  return ids.map((id) => {
    const found = DEFECTS.find((one) => one.id === id);
    if (!found) throw new Error(`unknown defect ${id}`);
    return found;
  });
}
