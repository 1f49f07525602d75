import { OPERATIONS } from '../api/operations.ts';
import { type RequestKey, requestKey } from '../wire/write-guard.ts';

/** The requests that sign in: they keep nothing but a session. */
export const SIGN_INS: readonly RequestKey[] = [OPERATIONS.sso, OPERATIONS.login].map(requestKey);

/** The creation of a PAT, as the write guard names it. */
export const CREATE_PAT: RequestKey = requestKey(OPERATIONS.pat);
