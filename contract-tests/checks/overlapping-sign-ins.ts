import { blocked, violation } from '../failure.ts';
import type { Actor } from '../model.ts';
import { SSO_PATH } from '../session/operations.ts';
import { overlapped } from '../session/overlapping.ts';
import type { Session } from '../session/session.ts';
import { type Answer, describe, isSuccess, jsonOf } from '../wire/exchange.ts';
import { isObject } from '../wire/json.ts';
import type { Check } from './check.ts';
import { sameId } from './formats.ts';

const needs: Check['needs'] = ['actors.admin.sso'];

/** The id of the user who signed in; undefined where a sign-in answered none. */
export function userIdOf(answer: Answer): unknown {
  const grant = jsonOf(answer);
  return isSuccess(answer) && isObject(grant) && isObject(grant.user) ? grant.user.id : undefined;
}

async function alone(session: Session, actor: Actor): Promise<unknown> {
  const { answer, neededHeader } = await session.signIn.sso(actor);
  if (neededHeader) throw blocked('sso-without-authorization', 'The SSO login asks for an Authorization header');
  const id = userIdOf(answer);
  if (id !== undefined) return id;
  const by = actor === 'admin' ? 'sso-user-id' : 'sso-identities-differ';
  throw blocked(by, `The SSO login of ${actor} answered no user id`);
}

/** Who signs in again, and what each was answered. */
interface Again {
  actor: Actor;
  answer: Answer;
}

/**
 * Everybody once more, at the same time, right after an identity that nobody knows was tried (see strangers.ts); once a run,
 * for all checks of who is signed in.
 */
export function signInsAtOnce(session: Session): Promise<Again[]> {
  return session.recorder.once('sign-ins at once', async () => {
    const { sso: admin } = session.credentials('admin');
    const { sso: member } = session.credentials('member');
    const last = session.successes.findLast(({ request }) => request.url.endsWith(SSO_PATH));
    // Whoever signed in last comes second: a target that mixes up who is who may take the first one for that user.
    const isMembers = last?.request.body === JSON.stringify(member);
    const both: Actor[] = isMembers ? ['admin', 'member'] : ['member', 'admin'];
    const actors: Actor[] = admin && member ? both : ['admin', 'admin'];
    const requests = actors.map((actor) => ({ actor, request: session.signIn.ssoRequest(actor) }));
    const answered = await overlapped(session, requests);
    for (const { actor, answer } of answered) session.signIn.noteSso(actor, answer);
    return answered.map(({ actor, answer }) => ({ actor, answer }));
  });
}

/** Everybody signs in again, at the same time: who that is depends on the claims of each request alone (4.1). */
export const overlappingSignIns: Check = {
  id: 'sso-overlapping',
  requirements: ['SSO-17'],
  isThorough: true,
  title: 'identities that sign in at the same time are each signed in as themselves',
  needs,
  async run(session) {
    const expected = new Map<Actor, unknown>();
    for (const actor of ['admin', 'member'] as const)
      if (session.credentials(actor).sso) expected.set(actor, await alone(session, actor));
    for (const { actor, answer } of await signInsAtOnce(session)) {
      if (!isSuccess(answer)) {
        throw violation(
          `A second SSO login of ${actor} did not succeed while somebody else signed in.`,
          'a success (2xx)',
          describe(answer),
        ).seenIn(answer);
      }
      const id = userIdOf(answer);
      if (id === undefined) throw blocked('sso-every-answer', `The second SSO login of ${actor} answered no user id`);
      if (sameId(id, expected.get(actor))) continue;
      throw violation(
        `${actor} signed in while somebody else did, and was answered as another user.`,
        expected.get(actor),
        id,
      ).seenIn(answer);
    }
  },
};
