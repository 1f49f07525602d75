import { blocked, CheckFailure, untested, violation } from '../failure.ts';
import { OPERATIONS } from '../session/operations.ts';
import type { Session } from '../session/session.ts';
import { type Answer, describe, isSuccess } from '../wire/exchange.ts';
import { PROTECTED_OPERATIONS, type ProtectedOperation } from './operations.ts';

/** What a check writes that needs a PAT. */
export const MAKES_PAT = `${OPERATIONS.pat.name}, once a run, unless the target file gives actors.admin.pat`;
/** What a check writes that needs later PATs, too. */
export const MAKES_OTHER_PATS = `${OPERATIONS.pat.name}, once more for admin and once for member`;
export const WIDER_PAT = 'it may lack a scope; set actors.admin.pat to one that may do all that admin may';

/** The Authorization header of the PAT of admin. */
export async function patHeader(session: Session): Promise<Record<string, string>> {
  return { Authorization: `Bearer ${(await session.pats.of('admin')).token}` };
}

/** What an operation answers to the PAT of admin; requested once a run. */
export async function patAnswer(session: Session, operation: ProtectedOperation): Promise<Answer> {
  const headers = await patHeader(session);
  // Where the list has changed meanwhile, this one is read anew with the others.
  const key = operation.id === 'api-keys' ? 'api keys by PAT' : `PAT at ${operation.id}`;
  return session.recorder.once(key, () => operation.withHeaders(session, headers));
}

/** What an operation answered to the PAT, where it accepts it; whether it does has a check of its own. */
export async function acceptedAnswer(session: Session, operation: ProtectedOperation): Promise<Answer> {
  const answer = await patAnswer(session, operation);
  if (isSuccess(answer)) return answer;
  const by = `auth-accepts-pat-${operation.id}`;
  throw session.ledger.hasPassed(by)
    ? wornOut(session, operation, answer)
    : blocked(by, `${operation.name} answered a PAT ${describe(answer)}`);
}

/** A PAT that was accepted before, and is not any more: the document knows nothing of an end of it. */
function wornOut(session: Session, operation: ProtectedOperation, answer: Answer): CheckFailure {
  const message = `${operation.name} does not accept a PAT any more that it accepted before.`;
  if (session.ledger.hasForgedPats)
    return untested(`${message} It may have been locked, since forged copies of it were sent`);
  return violation(message, 'a success (2xx)', describe(answer)).of('AUT-02').seenIn(answer);
}

/** Whether any protected operation accepts the PAT of admin. */
export async function isPatAccepted(session: Session): Promise<boolean> {
  for (const operation of PROTECTED_OPERATIONS) {
    const answer = await patAnswer(session, operation).catch((error: unknown) => {
      if (error instanceof CheckFailure) return undefined; // nothing to send it to
      throw error;
    });
    if (answer && isSuccess(answer)) return true;
  }
  return false;
}

/** The failure of a request with a PAT whose operation accepted another one before. */
export async function refusedToPat(
  session: Session,
  operation: ProtectedOperation,
  refused: Answer,
): Promise<CheckFailure> {
  const again = await operation.withHeaders(session, await patHeader(session));
  if (!isSuccess(again)) return wornOut(session, operation, again);
  if (refused.response.status === 403)
    return untested(`${operation.name} was refused to the PAT with 403: ${WIDER_PAT}`);
  return violation(
    `${refused.request.method} ${refused.request.url} does not succeed with a PAT, and does with a JWT of the same user.`,
    'a success (2xx)',
    describe(refused),
  ).seenIn(refused);
}
