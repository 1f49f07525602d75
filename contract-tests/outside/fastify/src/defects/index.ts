import { identityDefects } from './identity.ts';
import { keysFilterDefects } from './keys-filter.ts';
import { keysRecordDefects } from './keys-records.ts';
import type { DefectRow } from './row.ts';
import { scopesDefects } from './scopes.ts';
import { sessionFieldDefects } from './session-fields.ts';
import { tokenKindDefects } from './token-kinds.ts';
import { tokenLifeDefects } from './token-life.ts';
import { trustDefects } from './trust.ts';
import { updateAnswerDefects } from './update-answer.ts';
import { updateForbiddenDefects } from './update-forbidden.ts';
import { updateStoredDefects } from './update-stored.ts';
import { updateTitleDefects } from './update-title.ts';

export type { DefectKind } from './row.ts';

export const defectRows: readonly DefectRow[] = [
  ...sessionFieldDefects,
  ...identityDefects,
  ...tokenLifeDefects,
  ...tokenKindDefects,
  ...trustDefects,
  ...updateTitleDefects,
  ...updateStoredDefects,
  ...updateForbiddenDefects,
  ...updateAnswerDefects,
  ...keysFilterDefects,
  ...keysRecordDefects,
  ...scopesDefects,
];
