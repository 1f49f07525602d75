import { blocked, violation } from '../failure.ts';
import type { Actor } from '../model.ts';
import { SSO_PATH } from '../session/operations.ts';
import type { Session } from '../session/session.ts';
import { unknownIdentity, userOfUnknown } from '../session/unknown-identity.ts';
import { type Answer, isSuccess } from '../wire/exchange.ts';
import type { Check } from './check.ts';
import { assertNone } from './findings.ts';
import { sameId } from './formats.ts';
import { grantFindings } from './grants.ts';
import { signInsAtOnce, userIdOf } from './overlapping-sign-ins.ts';

async function signIn(session: Session, claims: Record<string, string>, who: string): Promise<Answer> {
  const answer = await session.send({ method: 'POST', path: SSO_PATH, json: claims });
  // Whether they may sign in is not shown; who does is answered as 4.1 says.
  if (isSuccess(answer)) assertNone(grantFindings(`The SSO answer to ${who}`, answer), session);
  return answer;
}

/** Throws where somebody who signed in after the unknown identity was answered as another user, alone as well. */
async function assertStillThemselves(session: Session, actor: Actor): Promise<void> {
  const expected = userIdOf((await session.signIn.sso(actor)).answer);
  const isOther = (answer: Answer): boolean => {
    const id = userIdOf(answer);
    return expected !== undefined && id !== undefined && !sameId(id, expected);
  };
  const again = (await signInsAtOnce(session)).filter((each) => each.actor === actor && isOther(each.answer));
  if (again.length === 0) return;
  const answer = session.signIn.noteSso(actor, await session.send(session.signIn.ssoRequest(actor)));
  if (!isOther(answer)) return; // whether it is so only at the same time has a check of its own
  throw violation(
    `After a sign-in with an unknown identity, ${actor} was signed in as another user.`,
    expected,
    userIdOf(answer),
  )
    .of('SSO-17')
    .seenIn(answer);
}

/** Claims are strings of whoever signs in (4.1): what is answered to others must not depend on them. */
export const strangers: Check = {
  id: 'sso-strangers',
  requirements: ['SSO-16'],
  isThorough: true,
  title:
    'an unknown identity is nobody else, is answered as documented where it may sign in, and leaves others themselves',
  needs: ['actors.admin.sso'],
  mayWrite: [
    `POST ${SSO_PATH} with claims of an unknown identity, and with admin's upn in capitals: a target that makes users on sign-in keeps them`,
  ],
  async run(session) {
    if (session.config.quick || !session.config.allowWrites) return;
    const { sso = {} } = session.credentials('admin');
    const { answer: known, neededHeader } = await session.signIn.sso('admin');
    if (neededHeader || !isSuccess(known))
      throw blocked('sso-claims-accepted', 'The SSO login of admin did not succeed');
    await signIn(session, { ...sso, upn: String(sso.upn ?? '').toUpperCase() }, 'a user principal name in capitals');
    const unknown = unknownIdentity(session);
    const stranger = await signIn(session, unknown, 'an unknown identity');
    if (isSuccess(stranger)) {
      session.leftovers.add(userOfUnknown(unknown.upn));
      if (sameId(userIdOf(stranger), userIdOf(known)))
        throw violation('An unknown identity was signed in as admin.', 'another user', userIdOf(stranger)).seenIn(
          stranger,
        );
    }
    if (session.credentials('member').sso) await assertStillThemselves(session, 'member');
    await assertStillThemselves(session, 'admin');
  },
};
