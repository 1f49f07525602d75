import { afterAPause } from './after-a-pause.ts';
import { authChecks } from './auth.ts';
import { patChecks } from './auth-pat.ts';
import { callersAtScopes, laterPats } from './callers.ts';
import type { Check } from './check.ts';
import { expiry } from './expiry.ts';
import { filteredRefusals } from './filtered-refusals.ts';
import { generalChecks } from './general.ts';
import { keyFilterChecks } from './key-filters.ts';
import { keyChecks } from './keys.ts';
import { loginChecks } from './login.ts';
import { memberUpdates } from './member-updates.ts';
import { overlappingLists } from './overlapping-lists.ts';
import { overlappingSignIns } from './overlapping-sign-ins.ts';
import { overlappingUpdates } from './overlapping-updates.ts';
import { readOnlyFieldChecks } from './read-only-fields.ts';
import { recordingValueChecks } from './recording-values.ts';
import { recordingChecks } from './recordings.ts';
import { refresh } from './refresh.ts';
import { scopeChecks } from './scopes.ts';
import { identityStable, ssoChecks } from './sso.ts';
import { strangers } from './strangers.ts';
import { updateConditions } from './update-conditions.ts';
import { wholeRunChecks } from './whole-run.ts';

/** Every check of the suite, in the order in which they run and are reported: what judges every answer of the run comes last. */
export const allChecks: readonly Check[] = [
  ...ssoChecks,
  strangers,
  overlappingSignIns,
  identityStable,
  ...loginChecks,
  ...recordingChecks,
  ...recordingValueChecks,
  overlappingUpdates,
  memberUpdates,
  updateConditions,
  ...keyChecks,
  ...keyFilterChecks,
  overlappingLists,
  ...scopeChecks,
  ...patChecks,
  refresh,
  callersAtScopes,
  laterPats,
  afterAPause,
  // Looks at the recording send some of these fields on the way.
  ...readOnlyFieldChecks,
  expiry,
  // Whoever sends forged credentials may be locked out, so they come after everything that needs good ones.
  ...authChecks,
  filteredRefusals,
  ...generalChecks,
  ...wholeRunChecks,
];
