import { blocked, untested, violation } from '../failure.ts';
import { SSO_PATH } from '../target/paths.ts';
import type { Answer } from '../target/request.ts';
import type { Session } from '../target/session.ts';
import { assertField, describe, isSuccess, jsonOf, notSuccessful, objectOf } from './answers.ts';
import type { Check } from './check.ts';
import { decodeJwt, isDateTime, isEmail, isJwt, isObject, type JsonObject, sameId, show, typeName } from './formats.ts';
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

/** A check of one member of the SSO answer, or of its user. */
function fieldCheck(
  field: string,
  requirement: string,
  expected: string,
  holds: (value: unknown) => boolean,
  inUser = false,
): Check {
  return {
    id: `sso-${inUser ? 'user-' : ''}${field.replaceAll('_', '-')}`,
    requirements: [requirement],
    title: `${inUser ? 'the user of the SSO answer' : 'the SSO answer'} has ${field}: ${expected}`,
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
      for (const { subject, grant } of await grantsOf(session)) {
        if (!inUser) {
          assertField(subject, grant, field, expected, holds);
          continue;
        }
        if (!isObject(grant.user)) throw blocked('sso-user', `${subject} has no user object`);
        assertField(`The user of ${subject.replace('The', 'the')}`, grant.user, field, expected, holds);
      }
    },
  };
}

/** Throws unless `expires_in` agrees with a lifetime that the JWT states, where it states one that can be read. */
function assertLifetime({ subject, answer, grant }: Grant): void {
  const expiresIn = grant.expires_in;
  if (typeof expiresIn !== 'number') throw blocked('sso-expires-in', `expires_in is ${typeName(expiresIn)}`);
  if (!isJwt(grant.access_token)) throw blocked('sso-access-token-jwt', 'The access_token is no JWT');
  if (expiresIn <= 0) throw violation('expires_in is no lifetime.', 'a positive number of seconds', expiresIn);
  const jwt = decodeJwt(grant.access_token);
  const stated = jwt ? statedLifetimes(jwt.payload, answer) : [];
  const [first] = stated;
  if (first && !stated.some(({ seconds, tolerance }) => Math.abs(seconds - expiresIn) <= tolerance)) {
    throw violation(
      `expires_in of ${subject.replace('The', 'the')} disagrees with the lifetime that the JWT states.`,
      `about ${Math.round(first.seconds)} (seconds)`,
      expiresIn,
    );
  }
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isFilledText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** The lifetimes in seconds that the JWT can be read to state: from `iat`, and from the time at which the answer was made. */
function statedLifetimes(payload: JsonObject, answer: Answer): { seconds: number; tolerance: number }[] {
  const { exp, iat } = payload;
  if (typeof exp !== 'number') return [];
  const date = Date.parse(answer.response.headers.date ?? '');
  const tolerance = (seconds: number): number => Math.max(30, Math.min(60, seconds * 0.1));
  const sinceIssue = typeof iat === 'number' ? [{ seconds: exp - iat, tolerance: tolerance(exp - iat) }] : [];
  // Where the token is older than the answer (a session that slides on), what remains of it is its lifetime.
  if (Number.isFinite(date)) return [...sinceIssue, { seconds: exp - date / 1000, tolerance: 60 }];
  // Without the target's clock ours is the reference, which may differ from it.
  return sinceIssue.length > 0 ? sinceIssue : [{ seconds: exp - Date.now() / 1000, tolerance: 300 }];
}

async function userId(answer: Answer, actor: string): Promise<unknown> {
  const grant = objectOf(answer, 'sso-claims-accepted', `The SSO login of ${actor}`);
  const id = isObject(grant.user) ? grant.user.id : undefined;
  if (id === undefined) throw blocked('sso-user-id', `The SSO login of ${actor} answered no user id`);
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
  fieldCheck('access_token', 'SSO-03', 'a string', isFilledText),
  {
    id: 'sso-access-token-jwt',
    requirements: ['SSO-04'],
    title: 'the access_token of the SSO answer is a JWT',
    needs,
    async run(session) {
      for (const { subject, grant } of await grantsOf(session)) {
        const token = grant.access_token;
        if (!isFilledText(token)) throw blocked('sso-access-token', `${subject} has no access_token`);
        if (isJwt(token)) continue;
        throw violation(
          `The access_token of ${subject.replace('The', 'the')} is no JWT.`,
          'a JWT in compact form, signed (three parts) or encrypted (five)',
          token,
        );
      }
    },
  },
  fieldCheck('refresh_token', 'SSO-05', 'a string', isFilledText),
  fieldCheck('token_type', 'SSO-06', 'exactly "bearer"', (value) => value === 'bearer'),
  fieldCheck('expires_in', 'SSO-07', 'an integer', Number.isInteger),
  {
    id: 'sso-expires-in-seconds',
    requirements: ['SSO-08'],
    title: 'expires_in is the lifetime of the access token in seconds',
    needs,
    async run(session) {
      for (const grant of await grantsOf(session)) assertLifetime(grant);
    },
  },
  fieldCheck('user', 'SSO-09', 'an object', isObject),
  fieldCheck('id', 'SSO-10', 'a string', isFilledText, true),
  fieldCheck('email', 'SSO-11', 'an e-mail address', isEmail, true),
  fieldCheck('username', 'SSO-12', 'a string', isText, true),
  fieldCheck('confirmed', 'SSO-13', 'a boolean', (value) => typeof value === 'boolean', true),
  fieldCheck('created_at', 'SSO-14', 'an ISO 8601 date-time', isDateTime, true),
  {
    id: 'sso-token-works',
    requirements: ['SSO-15'],
    title: 'a protected operation accepts the access token of the SSO answer',
    needs,
    async run(session) {
      const { answer, neededHeader } = await session.signIn.sso('admin');
      // A sign-in of its own: a later one may have ended the session of the one that is shared.
      const own = neededHeader ? answer : await session.signIn.sendSso('admin');
      const token = objectOf(own, 'sso-claims-accepted', 'The SSO login of admin').access_token;
      if (!isFilledText(token)) throw blocked('sso-access-token', 'The SSO answer has no access_token');
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
      const first = await userId((await session.signIn.sso('admin')).answer, 'admin');
      const second = await session.signIn.sso('member');
      if (!isSuccess(second.answer)) {
        throw notSuccessful(
          second.answer,
          `${SUBJECT} of member`,
          'Check that actors.member.sso names an identity that the target knows.',
          false,
        );
      }
      const other = await userId(second.answer, 'member');
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
      const first = await userId((await session.signIn.sso('admin')).answer, 'admin');
      const { neededHeader } = await session.signIn.sso('admin');
      if (neededHeader) throw blocked('sso-without-authorization', 'The SSO login asks for an Authorization header');
      const again = await session.signIn.sendSso('admin');
      if (!isSuccess(again)) {
        throw violation(
          'The second SSO login of the same identity did not succeed.',
          'a success (2xx)',
          describe(again),
        );
      }
      const second = await userId(again, 'admin');
      if (!sameId(first, second)) throw violation('The same identity signed in as another user.', first, second);
    },
  },
];

await registerChecks('single sign-on', ssoChecks);
