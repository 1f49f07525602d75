import { blocked, type CheckFailure, violation } from '../failure.ts';
import type { Answer } from '../target/request.ts';
import { jsonOf } from './answers.ts';
import type { FieldRule } from './fields.ts';
import { type Finding, fieldFindings } from './findings.ts';
import { decodeJwt, isDateTime, isEmail, isJwt, isObject, type JsonObject, show, typeName } from './formats.ts';

const isText = (value: unknown): boolean => typeof value === 'string';
/** What is used for something must be there. */
export const isFilledText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** The five fields of an SSO answer (4.1). */
export const GRANT_FIELDS = {
  access_token: { requirement: 'SSO-03', expected: 'a string', holds: isFilledText },
  refresh_token: { requirement: 'SSO-05', expected: 'a string', holds: isFilledText },
  token_type: { requirement: 'SSO-06', expected: 'exactly "bearer"', holds: (value) => value === 'bearer' },
  expires_in: { requirement: 'SSO-07', expected: 'an integer', holds: Number.isInteger },
  user: { requirement: 'SSO-09', expected: 'an object', holds: isObject },
} satisfies Record<string, FieldRule>;

/** The five fields of the user in it (part 2). */
export const USER_FIELDS = {
  id: { requirement: 'SSO-10', expected: 'a string', holds: isFilledText },
  email: { requirement: 'SSO-11', expected: 'an e-mail address', holds: isEmail },
  username: { requirement: 'SSO-12', expected: 'a string', holds: isText },
  confirmed: { requirement: 'SSO-13', expected: 'a boolean', holds: (value) => typeof value === 'boolean' },
  created_at: { requirement: 'SSO-14', expected: 'an ISO 8601 date-time', holds: isDateTime },
} satisfies Record<string, FieldRule>;

/** The violation of SSO-04 by an access token; undefined where it is a JWT. */
export function tokenFailure(subject: string, grant: JsonObject): CheckFailure | undefined {
  const token = grant.access_token;
  if (!isFilledText(token)) return blocked('sso-access-token', `${subject} has no access_token`);
  if (isJwt(token)) return undefined;
  return violation(
    `The access_token of ${inSentence(subject)} is no JWT.`,
    'a JWT in compact form, signed (three parts) or encrypted (five)',
    token,
  );
}

/** The violation of SSO-08 where `expires_in` disagrees with a lifetime that the JWT states and that can be read. */
export function lifetimeFailure(subject: string, grant: JsonObject, answer: Answer): CheckFailure | undefined {
  const expiresIn = grant.expires_in;
  if (typeof expiresIn !== 'number') return blocked('sso-expires-in', `expires_in is ${typeName(expiresIn)}`);
  if (!isJwt(grant.access_token)) return blocked('sso-access-token-jwt', 'The access_token is no JWT');
  if (expiresIn <= 0) return violation('expires_in is no lifetime.', 'a positive number of seconds', expiresIn);
  const jwt = decodeJwt(grant.access_token);
  const stated = jwt ? statedLifetimes(jwt.payload, answer) : [];
  const [first] = stated;
  if (!first || stated.some(({ seconds, tolerance }) => Math.abs(seconds - expiresIn) <= tolerance)) return undefined;
  return violation(
    `expires_in of ${inSentence(subject)} disagrees with the lifetime that the JWT states.`,
    `about ${Math.round(first.seconds)} (seconds)`,
    expiresIn,
  );
}

/** A subject, which messages start with, in the middle of one. */
export const inSentence = (subject: string): string => subject.replace('The', 'the');

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

/** Everything that an SSO answer says otherwise than 4.1 does. */
export function grantFindings(subject: string, answer: Answer): Finding[] {
  const grant = jsonOf(answer);
  if (!isObject(grant)) {
    return [
      {
        requirement: GRANT_FIELDS.access_token.requirement,
        message: `${subject} is no JSON object.`,
        expected: 'an object with access_token, …',
        actual: show(answer.response.body),
        answers: [answer],
      },
    ];
  }
  const user = isObject(grant.user) ? grant.user : undefined;
  return [
    ...fieldFindings(subject, grant, GRANT_FIELDS, answer),
    ...failureFindings('SSO-04', tokenFailure(subject, grant), answer),
    ...failureFindings('SSO-08', lifetimeFailure(subject, grant, answer), answer),
    ...(user ? fieldFindings(`The user of ${inSentence(subject)}`, user, USER_FIELDS, answer) : []),
  ];
}

function failureFindings(requirement: string, failure: CheckFailure | undefined, answer: Answer): Finding[] {
  if (failure?.outcome !== 'violation') return [];
  const { expected, actual } = failure.evidence;
  return [{ requirement, message: failure.message, expected, actual, answers: [answer] }];
}
