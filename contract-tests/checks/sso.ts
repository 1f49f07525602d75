import { blocked, untested, violation } from '../failure.ts';
import { objectOf } from '../session/records.ts';
import type { Session } from '../session/session.ts';
import { type Answer, describe, isSuccess, jsonOf } from '../wire/exchange.ts';
import { isObject, show } from '../wire/json.ts';
import { notSuccessful } from './answers.ts';
import type { Check } from './check.ts';
import { holdsField } from './field-rules.ts';
import { type Finding, fieldJudgements, findingChecks, type Judgement } from './findings.ts';
import { sameId } from './formats.ts';
import { grantFindings } from './grants.ts';
import { CHECKED_OPERATIONS } from './operations.ts';
import { signInsAtOnce } from './overlapping-sign-ins.ts';
import { firstAccepting } from './protected-operations.ts';

const { name: SUBJECT, hint: HINT, needs } = CHECKED_OPERATIONS.sso;

/**
 * What is wrong with the SSO answers: admin's, and member's where that signs in as well (sso-identities-differ judges
 * whether it does). 4.1 has one answer, whoever signs in.
 */
async function judge(session: Session): Promise<Finding[]> {
  const { answer } = await session.signIn.sso('admin');
  if (!isSuccess(answer)) throw blocked('sso-claims-accepted', 'The SSO login of admin did not succeed');
  const findings = grantFindings('The SSO answer', answer);
  if (!session.credentials('member').sso) return findings;
  const toMember = await session.signIn.sso('member').then(
    (outcome) => outcome.answer,
    () => undefined,
  );
  if (!toMember || !isSuccess(toMember) || !isObject(jsonOf(toMember))) return findings;
  return [...findings, ...grantFindings('The SSO answer to member', toMember)];
}

/** What 4.1 and part 2 say of the answer. */
export const SSO_JUDGEMENTS: Judgement[] = [
  ...fieldJudgements('TokenGrant', 'sso', 'the SSO answer'),
  {
    id: 'sso-access-token-jwt',
    requirement: 'SSO-04',
    title: 'the access_token of the SSO answer is a JWT',
    buildsOn: ['SSO-03'],
  },
  {
    id: 'sso-expires-in-seconds',
    requirement: 'SSO-08',
    title: 'expires_in is the lifetime of the access token in seconds',
    buildsOn: ['SSO-07', 'SSO-03', 'SSO-04'],
  },
  ...fieldJudgements('User', 'sso-user', 'the user of the SSO answer', ['SSO-09']),
];

/** The user id that an SSO login answered; blocked by the check that judges the answer where it has none. */
function userId(answer: Answer, actor: string, by?: string): unknown {
  const grant = objectOf(answer, by ?? 'sso-claims-accepted', `The SSO login of ${actor}`);
  const id = isObject(grant.user) ? grant.user.id : undefined;
  if (id === undefined) throw blocked(by ?? 'sso-user-id', `The SSO login of ${actor} answered no user id`);
  return id;
}

/** Admin's second SSO login: that beside member's where it signs in the same user, else one alone, which says more. */
async function secondSso(session: Session, first: unknown): Promise<Answer> {
  const beside = session.isQuick ? [] : await signInsAtOnce(session);
  const known = beside.find(({ actor, answer }) => {
    const grant = jsonOf(answer);
    return actor === 'admin' && isObject(grant) && isObject(grant.user) && sameId(first, grant.user.id);
  });
  return known && isSuccess(known.answer) ? known.answer : session.signIn.sendSso('admin');
}

export const ssoChecks: Check[] = [
  {
    id: 'sso-without-authorization',
    requirements: ['SSO-01'],
    title: 'the SSO login is called without an Authorization header',
    needs,
    async run(session) {
      const { answer, withoutHeader, neededHeader } = await session.signIn.sso('admin');
      if (neededHeader) {
        throw violation(
          'The SSO login was refused without an Authorization header and succeeded with one.',
          'success without Authorization',
          `${describe(withoutHeader)} without, ${describe(answer)} with the header`,
        );
      }
      if (!isSuccess(answer))
        throw blocked('sso-claims-accepted', `The SSO login of admin answered ${answer.response.status}`);
    },
  },
  {
    id: 'sso-claims-accepted',
    requirements: ['SSO-02', 'GEN-02'],
    title: 'the SSO login accepts a JSON body with the claims oid, tid and upn',
    needs,
    async run(session) {
      const { answer } = await session.signIn.sso('admin');
      if (!isSuccess(answer)) throw notSuccessful(answer, SUBJECT, HINT, false);
    },
  },
  ...findingChecks({ needs, judge }, SSO_JUDGEMENTS),
  {
    id: 'sso-token-works',
    requirements: ['SSO-15'],
    title: 'a protected operation accepts the access token of the SSO answer',
    needs,
    async run(session) {
      const { answer } = await session.signIn.sso('admin');
      const token = objectOf(answer, 'sso-claims-accepted', 'The SSO login of admin').access_token;
      if (!holdsField('TokenGrant', 'access_token', token))
        throw blocked('sso-access-token', 'The SSO answer has no access_token');
      await firstAccepting(session, String(token), 'The access token of the SSO answer');
    },
  },
  {
    id: 'sso-identities-differ',
    requirements: ['SSO-16'],
    title: 'different identities sign in as different users',
    needs: ['actors.admin.sso', 'actors.member.sso'],
    async run(session) {
      const [admin, member] = [session.credentials('admin').sso, session.credentials('member').sso];
      if (JSON.stringify(admin) === JSON.stringify(member))
        throw untested('actors.admin.sso and actors.member.sso are the same identity');
      const first = userId((await session.signIn.sso('admin')).answer, 'admin');
      const second = await session.signIn.sso('member');
      if (!isSuccess(second.answer)) {
        throw notSuccessful(
          second.answer,
          `${SUBJECT} of member`,
          'Check that actors.member.sso names an identity that the target knows.',
          false,
        );
      }
      const other = userId(second.answer, 'member');
      if (sameId(first, other))
        throw violation('Two identities signed in as the same user.', `another user id than ${show(first)}`, other);
    },
  },
];

/** Comes after strangers: who is signed in again must not depend on who was tried before. */
export const identityStable: Check = {
  id: 'sso-identity-stable',
  requirements: ['SSO-17'],
  title: 'the same identity signs in as the same user again',
  needs,
  async run(session) {
    const first = userId((await session.signIn.sso('admin')).answer, 'admin');
    const { neededHeader } = await session.signIn.sso('admin');
    if (neededHeader) throw blocked('sso-without-authorization', 'The SSO login asks for an Authorization header');
    const again = await secondSso(session, first);
    if (!isSuccess(again)) throw notSuccessful(again, `The second ${SUBJECT} of admin`, HINT, true);
    // The first answer is judged by the checks of its fields, all others by that of every answer.
    const second = userId(again, 'admin', 'sso-every-answer');
    if (!sameId(first, second)) throw violation('The same identity signed in as another user.', first, second);
  },
};
