import { blocked, untested, violation } from '../failure.ts';
import { SSO_PATH } from '../target/paths.ts';
import type { Answer } from '../target/request.ts';
import type { Session } from '../target/session.ts';
import { assertField, describe, isSuccess, jsonOf, notSuccessful, objectOf } from './answers.ts';
import type { Check } from './check.ts';
import { isObject, type JsonObject, sameId, show } from './formats.ts';
import { GRANT_FIELDS, inSentence, isFilledText, lifetimeFailure, tokenFailure, USER_FIELDS } from './grants.ts';
import { firstAccepting } from './protected-operations.ts';
import { registerChecks } from './register.ts';

const SUBJECT = `POST ${SSO_PATH}`;
const IDENTITY_HINT = 'Check that actors.admin.sso names an identity that the target knows.';
const needs: Check['needs'] = ['actors.admin.sso'];

interface Grant {
  /** As messages name it. */
  subject: string;
  answer: Answer;
  grant: JsonObject;
}

/**
 * The SSO answers to judge: admin's, and member's where that signs in as well (sso-identities-differ judges whether it
 * does). 4.1 has one answer, whoever signs in.
 */
async function grantsOf(session: Session): Promise<Grant[]> {
  const grants: Grant[] = [
    {
      subject: 'The SSO answer',
      answer: (await session.signIn.sso('admin')).answer,
      grant: await session.signIn.ssoGrant('admin'),
    },
  ];
  if (!session.credentials('member').sso) return grants;
  const answer = await session.signIn.sso('member').then(
    (outcome) => outcome.answer,
    () => undefined,
  );
  const grant = answer && isSuccess(answer) ? jsonOf(answer) : undefined;
  if (answer && isObject(grant)) grants.push({ subject: 'The SSO answer to member', answer, grant });
  return grants;
}

/** A check of one member of the SSO answer. */
function fieldCheck(field: keyof typeof GRANT_FIELDS): Check {
  const { requirement, expected, holds } = GRANT_FIELDS[field];
  return {
    id: `sso-${field.replaceAll('_', '-')}`,
    requirements: [requirement],
    title: `the SSO answer has ${field}: ${expected}`,
    needs,
    async run(session) {
      const { answer } = await session.signIn.sso('admin');
      // The first of the fields judges the answer as a whole, too: the others are blocked by it.
      if (field === 'access_token' && isSuccess(answer) && !isObject(jsonOf(answer))) {
        throw violation(
          'The SSO answer is no JSON object.',
          'an object with access_token, …',
          show(answer.response.body),
        );
      }
      for (const { subject, grant } of await grantsOf(session)) assertField(subject, grant, field, expected, holds);
    },
  };
}

/** A check of one member of the user in the SSO answer. */
function userFieldCheck(field: keyof typeof USER_FIELDS): Check {
  const { requirement, expected, holds } = USER_FIELDS[field];
  return {
    id: `sso-user-${field.replaceAll('_', '-')}`,
    requirements: [requirement],
    title: `the user of the SSO answer has ${field}: ${expected}`,
    needs,
    async run(session) {
      for (const { subject, grant } of await grantsOf(session)) {
        if (!isObject(grant.user)) throw blocked('sso-user', `${subject} has no user object`);
        assertField(`The user of ${inSentence(subject)}`, grant.user, field, expected, holds);
      }
    },
  };
}

/** The user id that an SSO login answered; blocked by the check that judges the answer where it has none. */
function userId(answer: Answer, actor: string, by?: string): unknown {
  const grant = objectOf(answer, by ?? 'sso-claims-accepted', `The SSO login of ${actor}`);
  const id = isObject(grant.user) ? grant.user.id : undefined;
  if (id === undefined) throw blocked(by ?? 'sso-user-id', `The SSO login of ${actor} answered no user id`);
  return id;
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
    title: 'the SSO login takes a JSON body with the claims oid, tid and upn',
    needs,
    async run(session) {
      const { answer } = await session.signIn.sso('admin');
      if (!isSuccess(answer)) throw notSuccessful(answer, SUBJECT, IDENTITY_HINT, false);
    },
  },
  fieldCheck('access_token'),
  {
    id: 'sso-access-token-jwt',
    requirements: ['SSO-04'],
    title: 'the access_token of the SSO answer is a JWT',
    needs,
    async run(session) {
      for (const { subject, grant } of await grantsOf(session)) {
        const failure = tokenFailure(subject, grant);
        if (failure) throw failure;
      }
    },
  },
  fieldCheck('refresh_token'),
  fieldCheck('token_type'),
  fieldCheck('expires_in'),
  {
    id: 'sso-expires-in-seconds',
    requirements: ['SSO-08'],
    title: 'expires_in is the lifetime of the access token in seconds',
    needs,
    async run(session) {
      for (const { subject, grant, answer } of await grantsOf(session)) {
        const failure = lifetimeFailure(subject, grant, answer);
        if (failure) throw failure;
      }
    },
  },
  fieldCheck('user'),
  userFieldCheck('id'),
  userFieldCheck('email'),
  userFieldCheck('username'),
  userFieldCheck('confirmed'),
  userFieldCheck('created_at'),
  {
    id: 'sso-token-works',
    requirements: ['SSO-15'],
    title: 'a protected operation accepts the access token of the SSO answer',
    needs,
    async run(session) {
      const { answer, neededHeader } = await session.signIn.sso('admin');
      const shared = objectOf(answer, 'sso-claims-accepted', 'The SSO login of admin').access_token;
      if (!isFilledText(shared)) throw blocked('sso-access-token', 'The SSO answer has no access_token');
      // A sign-in of its own: a later one may have ended the session of the one that is shared.
      const own = neededHeader ? answer : await session.signIn.sendSso('admin');
      const grant = jsonOf(own);
      const token = isSuccess(own) && isObject(grant) ? grant.access_token : shared;
      if (!isFilledText(token)) throw blocked('sso-every-answer', 'The second SSO answer has no access_token');
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
  {
    id: 'sso-identity-stable',
    requirements: ['SSO-17'],
    title: 'the same identity signs in as the same user again',
    needs,
    async run(session) {
      const first = userId((await session.signIn.sso('admin')).answer, 'admin');
      const { neededHeader } = await session.signIn.sso('admin');
      if (neededHeader) throw blocked('sso-without-authorization', 'The SSO login asks for an Authorization header');
      const again = await session.signIn.sendSso('admin');
      if (!isSuccess(again)) throw notSuccessful(again, `The second ${SUBJECT} of admin`, IDENTITY_HINT, true);
      // The first answer is judged by the checks of its fields, all others by that of every answer.
      const second = userId(again, 'admin', 'sso-every-answer');
      if (!sameId(first, second)) throw violation('The same identity signed in as another user.', first, second);
    },
  },
];

await registerChecks('single sign-on', ssoChecks);
