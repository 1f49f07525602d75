import { authChecks } from './auth.ts';
import { patChecks } from './auth-pat.ts';
import type { Check } from './check.ts';
import { generalChecks } from './general.ts';
import { keyFilterChecks } from './key-filters.ts';
import { keyChecks } from './keys.ts';
import { loginChecks } from './login.ts';
import { readOnlyFieldChecks } from './read-only-fields.ts';
import { recordingValueChecks } from './recording-values.ts';
import { recordingChecks } from './recordings.ts';
import { scopeChecks } from './scopes.ts';
import { ssoChecks } from './sso.ts';
import { wholeRunChecks } from './whole-run.ts';

/** Every check of the suite, in the order in which they run and are reported: what judges every answer of the run comes last. */
export const allChecks: readonly Check[] = [
  ...ssoChecks,
  ...loginChecks,
  ...recordingChecks,
  ...recordingValueChecks,
  ...readOnlyFieldChecks,
  ...keyChecks,
  ...keyFilterChecks,
  ...scopeChecks,
  ...patChecks,
  ...authChecks,
  ...generalChecks,
  ...wholeRunChecks,
];
