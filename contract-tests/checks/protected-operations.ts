import { CheckFailure, untested, violation } from '../failure.ts';
import type { Session } from '../session/session.ts';
import type { TargetField } from '../session/target-fields.ts';
import { GARBAGE_TOKENS, isPatForm } from '../session/token-forms.ts';
import { describe, isSuccess } from '../wire/answers.ts';
import type { Answer } from '../wire/request.ts';
import { notSuccessful } from './answers.ts';
import { assertKnownResource } from './unknown-resources.ts';

/** A documented operation that takes a bearer token, as the authentication checks use it. */
export interface ProtectedOperation {
  id: 'api-keys' | 'scopes' | 'recording';
  name: string;
  needs: TargetField[];
  writes?: string[];
  hint: string;
  /** The field of the target file that its path names. */
  resource?: 'recordingId' | 'tenantId';
  /** Sends the operation as admin. */
  control(session: Session): Promise<Answer>;
  /** Sends the same request with other headers; `title` is what an update would write. */
  withHeaders(session: Session, headers: Record<string, string>, title?: string): Promise<Answer>;
}

export const PROTECTED_OPERATIONS: ProtectedOperation[] = [
  {
    id: 'api-keys',
    name: 'GET /v1/admin/tenants/{id}/api-keys',
    needs: ['actors.admin', 'resources.tenantId'],
    resource: 'tenantId',
    hint: 'Check that actors.admin may list the API keys of resources.tenantId.',
    control: (session) => session.apiKeys.all(),
    withHeaders: (session, headers) => session.apiKeys.of(session.resource('tenantId'), {}, headers),
  },
  {
    id: 'scopes',
    name: 'GET of the token scopes',
    needs: ['actors.admin'],
    hint: 'Check answers.scopes-path in the profile.',
    control: (session) => session.scopes.of('admin'),
    withHeaders: (session, headers) => session.scopes.of('admin', headers),
  },
  {
    id: 'recording',
    name: 'PATCH /v1/echo/recordings/{recordingId}',
    needs: ['actors.admin', 'resources.recordingId'],
    writes: ['PATCH of the disposable recording: summary; title, with credentials that must be refused'],
    resource: 'recordingId',
    hint: 'Check that actors.admin may update resources.recordingId.',
    control: (session) => session.recording.original(),
    withHeaders: (session, headers, title) =>
      session.recording.update(
        title === undefined ? { summary: 'Summary by the contract suite.' } : { title },
        headers,
      ),
  },
];

/** The successful control of an operation; without it no refusal counts. */
export async function acceptedControl(operation: ProtectedOperation, session: Session): Promise<Answer> {
  const answer = await operation.control(session);
  if (!isSuccess(answer)) {
    throw untested(
      `${operation.name} does not succeed with valid credentials either (${describe(answer)}), so a refusal shows nothing`,
    );
  }
  return answer;
}

/**
 * Throws unless some protected operation accepts `token`. A 403 decides nothing, since who may do what is not documented;
 * refusals count only where another credential of the same caller succeeds.
 */
export async function firstAccepting(session: Session, token: string, subject: string): Promise<void> {
  const refusals: { operation: ProtectedOperation; answer: Answer }[] = [];
  const reasons: string[] = [];
  for (const operation of PROTECTED_OPERATIONS) {
    try {
      for (const field of operation.needs)
        if (field.startsWith('resources.')) session.resource(field.slice('resources.'.length) as 'tenantId');
      const answer = await operation.withHeaders(session, { Authorization: `Bearer ${token}` });
      if (isSuccess(answer)) return;
      if (operation.resource && answer.response.status === 404) await assertKnownResource(operation.resource, session);
      refusals.push({ operation, answer });
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (error instanceof CheckFailure && error.outcome === 'violation') throw error;
      reasons.push(error.message);
    }
  }
  const refused = refusals.find(({ answer }) => answer.response.status === 401) ?? refusals[0];
  if (!refused) throw untested(`${subject} could not be tried at any protected operation: ${reasons.join('; ')}`);
  const { operation, answer } = refused;
  if (isPatForm(token) && refusals.every((refusal) => refusal.answer.response.status === 403)) {
    // It may lack a scope, which is not documented; unless the target says the same to a token that means nothing.
    const nonsense = await operation.withHeaders(session, { Authorization: `Bearer ${GARBAGE_TOKENS[0]}` });
    if (nonsense.response.status !== 403 || nonsense.response.body !== answer.response.body) {
      throw untested(
        `${subject} was refused with 403 everywhere: it may lack a scope; set actors.admin.pat to one that may do all that admin may`,
      );
    }
  }
  if (refusals.every((refusal) => refusal.answer.response.status === 403) && !(await session.isProven())) {
    throw notSuccessful(answer, `${operation.name} with ${subject.toLowerCase()}`, operation.hint, false);
  }
  throw violation(
    `${subject} is accepted by no protected operation.`,
    `a success (2xx) at one of ${refusals.map((refusal) => refusal.operation.name).join(', ')}`,
    refusals.map((refusal) => `${refusal.operation.name}: ${describe(refusal.answer)}`),
  );
}

/** Whether some protected operation accepts `token`. */
export async function isAccepted(session: Session, token: string): Promise<boolean> {
  try {
    await firstAccepting(session, token, 'The token');
    return true;
  } catch (error) {
    if (error instanceof CheckFailure) return false;
    throw error;
  }
}
