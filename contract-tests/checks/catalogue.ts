import { authChecks } from './auth.contract.ts';
import type { Check } from './check.ts';
import { generalChecks } from './general.contract.ts';
import { keyChecks } from './keys.contract.ts';
import { recordingChecks } from './recordings.contract.ts';
import { scopeChecks } from './scopes.contract.ts';
import { ssoChecks } from './sso.contract.ts';

/** Every check of the suite, in the order of the report. */
export const allChecks: readonly Check[] = [
  ...ssoChecks,
  ...recordingChecks,
  ...keyChecks,
  ...scopeChecks,
  ...authChecks,
  ...generalChecks,
];
