import { OPERATIONS } from '../api/operations.ts';
import { untested } from '../errors.ts';
import type { ClientRequest } from './exchange.ts';

export type RequestKey = `${ClientRequest['method']} ${string}`;

export const requestKey = ({ method, path }: Pick<ClientRequest, 'method' | 'path'>): RequestKey => `${method} ${path}`;

/** The requests that sign in: they keep nothing but a session. */
export const SIGN_INS: readonly RequestKey[] = [OPERATIONS.sso, OPERATIONS.login].map(requestKey);
export const CREATE_PAT: RequestKey = requestKey(OPERATIONS.pat);

/** What may be sent in addition to GET and OPTIONS requests. Paths may be added and removed while a run needs them. */
export interface WritePolicy {
  /** Whether anything may be written at all (`--allow-writes`; granted at a loopback target). */
  allowWrites: boolean;
  /** Whether that holds for this machine only: then no connection is made to any other. */
  loopbackOnly?: boolean;
  /** Requests that keep nothing but a session at the target: they are sent even where writes are not allowed. */
  sessionRequests: Set<RequestKey>;
  /** Requests that change something, and are planned. */
  writes: Set<RequestKey>;
  /** Requests whose effect cannot be undone: they are not repeated when their outcome is unknown. */
  unrepeatable: Set<RequestKey>;
}

export const readOnly = (...sessionRequests: RequestKey[]): WritePolicy => ({
  allowWrites: false,
  sessionRequests: new Set(sessionRequests),
  writes: new Set(),
  unrepeatable: new Set(),
});

/** What results say of a check or probe that was not run because it writes. */
export const NEEDS_WRITES = 'it writes, and writes are not allowed at this target; allow them with --allow-writes';

/** Accepts reads, session requests, and planned writes where they are allowed: the last line of defence of a deployment. */
export function refuseUnplanned(request: ClientRequest, policy: WritePolicy): void {
  if (!request.path.startsWith('/') || request.path.startsWith('//'))
    throw new Error(`The suite wanted to leave the target: ${request.path}`);
  if (['GET', 'OPTIONS'].includes(request.method) || policy.sessionRequests.has(requestKey(request))) return;
  if (!policy.writes.has(requestKey(request)))
    throw new Error(`The suite wanted to send an unplanned ${requestKey(request)}`);
  if (!policy.allowWrites) throw untested(NEEDS_WRITES);
}
