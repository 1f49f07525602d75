import { identityWatch } from '../checks/kept-values.ts';
import type { Actor } from '../model.ts';
import { adminClaim } from '../session/admin-claim.ts';
import { type Answer, isSuccess, jsonOf } from '../wire/exchange.ts';
import { isObject, parseJson, show } from '../wire/json.ts';
import type { Book } from './book.ts';
import { bearerOf, type Judge, REMEMBERED } from './judge.ts';
import { isSsoRequest } from './judge-answers.ts';
import { Recent } from './recent.ts';
import type { TokensSeen } from './tokens-seen.ts';

/** The actors that a target file names, by the claims with which they sign in. */
export type Actors = { readonly [actor in Actor]?: { readonly sso?: object } };

/** Judges whom sign-ins make: the same user for the same identity, and what the scopes answer says of an actor that is known. */
export function identitiesJudge(book: Book, tokens: TokensSeen, actors: Actors): Judge {
  const watch = identityWatch(new Recent(REMEMBERED));
  const users = new Recent<string, { answer: Answer; oid: unknown; upn: unknown }>(REMEMBERED);
  const identities = new Recent<string, true>(REMEMBERED);

  const seeUser = (answer: Answer): void => {
    const grant = jsonOf(answer);
    const id = isObject(grant) && isObject(grant.user) ? grant.user.id : undefined;
    const claims = parseJson(answer.request.body ?? '');
    const { oid, upn } = isObject(claims) ? claims : {};
    if (typeof id !== 'string') return;
    const before = users.get(id);
    const isOther = before && oid !== undefined && upn !== undefined && before.oid !== oid && before.upn !== upn;
    if (isOther && before.oid !== undefined && before.upn !== undefined)
      book.violate('sso-identities-differ', {
        requirement: 'SSO-16',
        message: 'Two identities, with other oid and upn, signed in as the same user.',
        expected: `another user id than ${show(id)}`,
        actual: id,
        answers: [before.answer, answer],
      });
    else if (!before && users.size > 0) book.pass('sso-identities-differ', answer);
    if (!before) users.set(id, { answer, oid, upn });
  };

  const seeScopes = (answer: Answer): void => {
    const claim = adminClaim(jsonOf(answer));
    const identity = tokens.get(bearerOf(answer) ?? '')?.identity;
    const sent = parseJson(identity ?? '');
    if (!claim || !isObject(sent)) return;
    for (const [actor, check, requirement] of [
      ['admin', 'scopes-administrator', 'SCO-03'],
      ['member', 'scopes-no-administrator', 'SCO-04'],
    ] as const) {
      const claims = actors[actor]?.sso;
      if (!claims || JSON.stringify(sorted(claims)) !== JSON.stringify(sorted(sent))) continue;
      const isRight = claim.isAdmin === (actor === 'admin');
      if (isRight) book.pass(check, answer);
      else if (!claim.isWeak)
        book.violate(check, {
          requirement,
          message: `The scopes answer says the opposite of whether ${actor} is an administrator.`,
          expected: `${claim.path.join('.')} of ${actor === 'admin' ? 'an administrator' : 'somebody who is not'}`,
          actual: claim.value,
          answers: [answer],
        });
    }
  };

  return {
    checks: ['sso-identity-stable', 'sso-identities-differ', 'scopes-administrator', 'scopes-no-administrator'],
    see({ operation, answer, hasRequestBody, hasBody }) {
      if (!hasRequestBody || !hasBody || !isSuccess(answer)) return;
      if (operation === 'scopes') {
        const noActor = 'who of the callers is an administrator, the recording does not say; name them with --target';
        for (const check of ['scopes-administrator', 'scopes-no-administrator']) book.open(check, noActor);
        seeScopes(answer);
      }
      if (operation !== 'sso' || !isSsoRequest(answer)) return;
      seeUser(answer);
      const findings = watch(answer);
      for (const finding of findings) book.violate('sso-identity-stable', finding);
      const identity = answer.request.body ?? '';
      if (findings.length === 0 && identities.has(identity)) book.pass('sso-identity-stable', answer);
      identities.set(identity, true);
    },
  };
}

const sorted = (claims: object): [string, unknown][] => Object.entries(claims).toSorted(([a], [b]) => (a < b ? -1 : 1));
