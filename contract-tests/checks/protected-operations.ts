import { CheckFailure, untested, violation } from '../failure.ts';
import type { Session } from '../session/session.ts';
import { GARBAGE_TOKENS, isPatForm } from '../session/token-forms.ts';
import { type Answer, describe, isSuccess } from '../wire/exchange.ts';
import { notSuccessful } from './answers.ts';
import { PROTECTED_OPERATIONS, type ProtectedOperation } from './operations.ts';
import { assertKnownResource } from './unknown-resources.ts';

/** The successful control of an operation; without it no refusal counts. */
export async function acceptedControl(operation: ProtectedOperation, session: Session): Promise<Answer> {
  const answer = await operation.send(session);
  if (!isSuccess(answer)) {
    throw untested(
      `${operation.name} does not succeed with valid credentials either (${describe(answer)}), so a refusal shows nothing`,
    );
  }
  return answer;
}

/** What an operation answers to a bearer token; where admin works with that token, the answer that the run has already. */
export async function answerTo(token: string, operation: ProtectedOperation, session: Session): Promise<Answer> {
  const headers = { Authorization: `Bearer ${token}` };
  const own = await session.signIn.authorization('admin').catch(() => undefined);
  if (own?.Authorization === headers.Authorization) return operation.send(session);
  return session.recorder.once(`${operation.id} by ${token}`, () => operation.withHeaders(session, headers));
}

/**
 * Throws unless some protected operation accepts `token`. A 403 decides nothing, since who may do what is not documented;
 * refusals count only where another credential of the same caller succeeds.
 */
export async function firstAccepting(session: Session, token: string, subject: string): Promise<void> {
  if (session.hasAccepted(token)) return;
  const refusals: { operation: ProtectedOperation; answer: Answer }[] = [];
  const reasons: string[] = [];
  for (const operation of PROTECTED_OPERATIONS) {
    try {
      for (const field of operation.needs)
        if (field.startsWith('resources.')) session.resource(field.slice('resources.'.length) as 'tenantId');
      const answer = await answerTo(token, operation, session);
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
