import type { ClientRequest } from './request.ts';

/** What the suite may change at a target. */
export interface WritePolicy {
  /** Whether anything may be written at all (`--allow-writes`; granted at a loopback target). */
  allowWrites: boolean;
  /** The one recording that may be updated, by the path of its update. */
  recordingPaths: Set<string>;
  /** Paths to which a sign-in is sent; they keep nothing but a session. */
  signInPaths: Set<string>;
  /** Where a refresh token may be exchanged: candidates of a probe. Like a sign-in, an exchange keeps but a session. */
  refreshPaths: Set<string>;
}

/** Thrown before anything is sent: the check that wanted it is untested. */
export class WriteNotAllowed extends Error {
  override name = 'WriteNotAllowed';
}

/** Thrown when a check would touch what no check may touch: a bug of the suite, stopped below the checks. */
export class UnplannedRequest extends Error {
  override name = 'UnplannedRequest';
}

export const PAT_CREATION_PATH = '/v1/api-tokens';

/**
 * Lets reads and sign-ins through; updates of the disposable recording and the creation of a PAT where writes are allowed;
 * nothing else. The last line of defence of a real deployment, below every check.
 */
export function refuseUnplanned(request: ClientRequest, policy: WritePolicy): void {
  if (!request.path.startsWith('/') || request.path.startsWith('//')) {
    throw new UnplannedRequest(`The suite wanted to leave the target: ${request.path}`);
  }
  if (request.method === 'GET') return;
  if (request.method === 'POST' && (policy.signInPaths.has(request.path) || policy.refreshPaths.has(request.path)))
    return;
  const planned =
    (request.method === 'PATCH' && policy.recordingPaths.has(request.path)) ||
    (request.method === 'POST' && request.path === PAT_CREATION_PATH);
  if (!planned) throw new UnplannedRequest(`The suite wanted to send an unplanned ${request.method} ${request.path}`);
  if (!policy.allowWrites) {
    throw new WriteNotAllowed('it writes, and writes are not allowed at this target; allow them with --allow-writes');
  }
}
