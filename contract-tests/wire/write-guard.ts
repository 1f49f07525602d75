import { isSafe, OPERATIONS, SSO_PATH } from '../api/operations.ts';
import { CannotAsk } from '../errors.ts';
import { objectOf } from '../values/json.ts';
import type { ClientRequest } from './exchange.ts';

export type RequestKey = `${ClientRequest['method']} ${string}`;

export const requestKey = ({ method, path }: Pick<ClientRequest, 'method' | 'path'>): RequestKey => `${method} ${path}`;

export const SIGN_INS: readonly RequestKey[] = [OPERATIONS.sso, OPERATIONS.login].map(requestKey);
export const CREATE_PAT: RequestKey = requestKey(OPERATIONS.pat);

/** What a request leaves at the target: a session at most, a change, or what cannot be undone, which is not sent again in doubt. */
export type Effect = 'session' | 'change' | 'lasting';

/** What may be sent in addition to requests that change nothing: more while a run needs it. */
export interface WritePolicy {
  /** Whether anything may be written at all (`--allow-writes`; granted by a mock). */
  allowWrites: boolean;
  planned: Map<RequestKey, Effect>;
  /** Whether SSO claims are those of an actor: others may make a user, unless there is none. */
  isOfActor?: (claims: unknown) => boolean;
}

export const readOnly = (...signIns: RequestKey[]): WritePolicy => ({
  allowWrites: false,
  planned: new Map(signIns.map((key) => [key, 'session'])),
});

/** What results say of a check or probe that was not run because it writes. */
export const NEEDS_WRITES = 'it writes, and writes are not allowed at this target (--allow-writes)';

/**
 * Accepts reads, sign-ins of the actors, and planned writes where they are allowed, to which sign-ins of others belong: the last
 * line of defence of a deployment.
 */
export function refuseUnplanned(request: ClientRequest, policy: WritePolicy): void {
  if (!request.path.startsWith('/') || request.path.startsWith('//'))
    throw new Error(`The suite wanted to leave the target: ${request.path}`);
  if (isSafe(request.method)) return;
  const effect = policy.planned.get(requestKey(request));
  if (effect === undefined) throw new Error(`The suite wanted to send an unplanned ${requestKey(request)}`);
  const claims = request.path === SSO_PATH ? objectOf(request.json) : {};
  const isOfOther = Object.keys(claims).length > 0 && !policy.isOfActor?.(claims);
  if ((effect !== 'session' || isOfOther) && !policy.allowWrites) throw new CannotAsk(NEEDS_WRITES);
}
