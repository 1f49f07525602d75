import { TransportError } from '../errors.ts';
import { CheckFailure } from '../failure.ts';
import type { Actor } from '../model.ts';
import type { Session } from '../session/session.ts';
import { type Answer, describe, isSuccess } from '../values/answer.ts';
import { WriteNotAllowed } from '../wire/write-guard.ts';

/**
 * Why nothing can be observed as this actor: the sign-in fails, or what it gave is refused everywhere. Undefined when the
 * credentials are good. Found once a run, so that all gaps which depend on it name the same cause.
 */
export async function refusedCredentials(session: Session, actor: Actor): Promise<string | undefined> {
  return session.recorder.once(`probe: credentials of ${actor}`, async () => {
    let source: string;
    try {
      ({ source } = await session.signIn.bearer(actor));
    } catch (error) {
      if (!(error instanceof CheckFailure)) throw error;
      return `the credentials of ${actor} are of no use: ${error.message}`;
    }
    const attempts = actor === 'admin' ? asAdmin(session) : [() => session.scopes.of(actor)];
    const answers: Answer[] = [];
    for (const attempt of attempts) {
      try {
        const answer = await attempt();
        if (isSuccess(answer)) return undefined;
        answers.push(answer);
      } catch (error) {
        const isExpected =
          error instanceof CheckFailure || error instanceof TransportError || error instanceof WriteNotAllowed;
        if (!isExpected) throw error;
      }
    }
    // Member may be kept from everything that is known, which is an answer and no problem of the credentials.
    const refusing = answers.find(
      ({ response }) => response.status === 401 || (actor === 'admin' && response.status === 403),
    );
    if (!refusing) return undefined;
    return `the credentials of ${actor} (${source}) are refused: ${refusing.request.method} was answered ${describe(refusing)}`;
  });
}

function asAdmin(session: Session): (() => Promise<Answer>)[] {
  const { resources } = session.target;
  return [
    ...(resources?.tenantId ? [() => session.apiKeys.all()] : []),
    () => session.scopes.of('admin'),
    ...(resources?.recordingId ? [() => session.recording.original()] : []),
  ];
}
