import { blocked, untested, violation } from '../failure.ts';
import { adminClaim, statementsOf } from '../session/admin-claim.ts';
import { listsScopes } from '../session/scope-listing.ts';
import type { Session } from '../session/session.ts';
import { type Answer, describe, isSuccess, jsonOf } from '../wire/exchange.ts';
import { show } from '../wire/json.ts';
import { notSuccessful } from './answers.ts';
import type { Check } from './check.ts';
import { assertAdministrator, assertNotSwapped } from './mistaken-actors.ts';
import { CHECKED_OPERATIONS } from './operations.ts';

const { name: SUBJECT, hint: HINT, needs } = CHECKED_OPERATIONS.scopes;

async function scopesJson(session: Session, actor: 'admin' | 'member'): Promise<unknown> {
  const answer = await session.scopes.of(actor);
  return bodyOf(answer, actor);
}

function bodyOf(answer: Answer, actor: string): unknown {
  const json = jsonOf(answer);
  if (!isSuccess(answer) || json === undefined) {
    const by = isSuccess(answer) ? 'scopes-json' : 'scopes-answered';
    throw blocked(by, `${SUBJECT} by ${actor} answered ${describe(answer)}`);
  }
  return json;
}

/** Whether the answers may say of one caller what they do not say of the other; the scopes alone are no statement. */
function saysMoreOfOne(a: unknown, b: unknown): boolean {
  return statementsOf(a) !== statementsOf(b);
}

export const scopeChecks: Check[] = [
  {
    id: 'scopes-answered',
    requirements: ['SCO-01'],
    title: 'the token scopes are answered to GET with a bearer token',
    needs,
    async run(session) {
      const answer = await session.scopes.of('admin');
      if (!isSuccess(answer)) throw notSuccessful(answer, SUBJECT, HINT, await session.isProven());
    },
  },
  {
    id: 'scopes-available',
    requirements: ['SCO-02'],
    title: 'the scopes answer says which scopes are available',
    needs,
    async run(session) {
      const json = await scopesJson(session, 'admin');
      if (!listsScopes(json))
        throw violation('The scopes answer lists no scopes.', 'a list of scopes, in whatever shape', show(json));
    },
  },
  {
    id: 'scopes-administrator',
    requirements: ['SCO-03'],
    title: 'the scopes answer says of an administrator that the caller is one',
    needs,
    async run(session) {
      const json = await scopesJson(session, 'admin');
      const claim = adminClaim(json);
      if (claim?.isAdmin) return;
      if (claim && !claim.isWeak) {
        await assertAdministrator(session);
        throw violation(
          'The scopes answer says that the administrator is none.',
          `${claim.path.join('.')} of an administrator`,
          claim.value,
        ).seenIn(await session.scopes.of('admin'));
      }
      if (Object.keys(session.credentials('member')).length === 0) {
        throw untested('nothing in the answer is named after administrators; with actors.member the suite can compare');
      }
      if (!saysMoreOfOne(json, await scopesJson(session, 'member'))) {
        throw violation(
          'The scopes answer does not say whether the caller is an administrator.',
          'something in which admin and member differ',
          show(json),
        );
      }
    },
  },
  {
    id: 'scopes-no-administrator',
    requirements: ['SCO-04'],
    title: 'the scopes answer says of somebody else that the caller is not an administrator',
    needs: ['actors.admin', 'actors.member'],
    async run(session) {
      const answer = await session.scopes.of('member');
      if (!isSuccess(answer)) {
        const isSignedIn = session.signIn.isOfSignIn(answer.request.headers.Authorization ?? '');
        // Any authenticated caller may list the scopes that are available to it (part 1).
        if (answer.response.status === 403 && isSignedIn) {
          throw violation(
            `${SUBJECT} was refused with 403 to member, who signed in in this run: any authenticated caller may list its scopes.`,
            'a success (2xx)',
            describe(answer),
          )
            .of('SCO-01')
            .seenIn(answer);
        }
        throw notSuccessful(answer, `${SUBJECT} by member`, 'Check actors.member.', isSignedIn);
      }
      const json = bodyOf(answer, 'member');
      const claim = adminClaim(json);
      if (claim && !claim.isAdmin && !claim.isWeak) return;
      if (claim?.isAdmin) {
        await assertNotSwapped(session);
        throw violation(
          'The scopes answer says that a member is an administrator.',
          `${claim.path.join('.')} of somebody who is not an administrator`,
          claim.value,
        ).seenIn(answer);
      }
      if (!saysMoreOfOne(await scopesJson(session, 'admin'), json)) {
        throw violation(
          'The scopes answer does not say whether the caller is an administrator.',
          'something in which admin and member differ',
          show(json),
        );
      }
    },
  },
];
