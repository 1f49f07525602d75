import { authChecks } from './auth.contract.ts';
import { patChecks } from './auth-pat.contract.ts';
import type { Check } from './check.ts';
import { generalChecks } from './general.contract.ts';
import { keyFilterChecks } from './key-filters.contract.ts';
import { keyChecks } from './keys.contract.ts';
import { loginChecks } from './login.contract.ts';
import { readOnlyFieldChecks } from './read-only-fields.contract.ts';
import { recordingValueChecks } from './recording-values.contract.ts';
import { recordingChecks } from './recordings.contract.ts';
import { scopeChecks } from './scopes.contract.ts';
import { ssoChecks } from './sso.contract.ts';
import { wholeRunChecks } from './whole-run.contract.ts';

/**
 * The files of the checks, `*.contract.ts`, in the order of the report, in which they also run: what judges every answer of
 * the run comes last.
 */
export const CHECK_FILES: readonly string[] = [
  'sso',
  'login',
  'recordings',
  'recording-values',
  'read-only-fields',
  'keys',
  'key-filters',
  'scopes',
  'auth-pat',
  'auth',
  'general',
  'whole-run',
];

/** Every check of the suite, in the order of the report. */
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
