import { accessTokenDefects } from './access-token.ts';
import type { Defect } from './defect.ts';
import { forgedDefects } from './forged.ts';
import { keysAnswerDefects } from './keys-answer.ts';
import { keysFilterDefects } from './keys-filter.ts';
import { patDefects } from './pats.ts';
import { scopesDefects } from './scopes.ts';
import { signInAnswerDefects } from './sign-in-answer.ts';
import { updateAnswerDefects } from './update-answer.ts';
import { updateFieldDefects } from './update-fields.ts';
import { updateTitleDefects } from './update-title.ts';

export const defects: readonly Defect[] = [
  ...signInAnswerDefects,
  ...accessTokenDefects,
  ...forgedDefects,
  ...patDefects,
  ...updateTitleDefects,
  ...updateFieldDefects,
  ...updateAnswerDefects,
  ...keysFilterDefects,
  ...keysAnswerDefects,
  ...scopesDefects,
];
