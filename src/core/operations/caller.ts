import type { User } from '../world/records.ts';

/** The authenticated user of a request, and the kind of credentials (part 5). */
export interface Caller {
  readonly user: User;
  readonly via: 'jwt' | 'pat';
}

/** The caller of a protected operation: authentication ran before. */
export function callerOf(request: { readonly caller: Caller | undefined }): Caller {
  if (!request.caller) throw new Error('A protected operation was called without a caller.');
  return request.caller;
}
