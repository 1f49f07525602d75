import { fieldsOf } from '../api/records.ts';
import { type Entry, isMaskIn, jsonIn } from '../log/entry.ts';
import { isObject, type JsonObject, show } from '../values/json.ts';
import { decodeJwt, isJwt } from '../values/jwt.ts';
import { fieldFindings, holdsField } from './field-rules.ts';
import type { Finding } from './rule.ts';

/** A subject, which starts a message, in the middle of one. */
const inSentence = (subject: string): string => subject.replace('The', 'the');

/** Everything in which an SSO answer differs from 4.1. */
export function grantFindings(subject: string, entry: Entry): Finding[] {
  const grant = jsonIn(entry);
  if (!isObject(grant)) {
    return [
      {
        requirement: fieldsOf('TokenGrant').access_token?.requirement ?? '',
        message: `${subject} is not a JSON object.`,
        expected: 'an object with access_token, …',
        actual: show(entry.answer.response.body),
        isWhole: true,
      },
    ];
  }
  const user = isObject(grant.user) ? grant.user : undefined;
  return [
    ...fieldFindings(subject, 'TokenGrant', grant),
    ...(isMaskIn(entry, grant.access_token)
      ? []
      : [...tokenFindings(subject, grant), ...refreshFindings(subject, grant)]),
    ...lifetimeFindings(subject, grant, entry),
    ...(user ? fieldFindings(`The user of ${inSentence(subject)}`, 'User', user) : []),
  ];
}

function tokenFindings(subject: string, { access_token: token }: JsonObject): Finding[] {
  if (!holdsField('TokenGrant', 'access_token', token) || isJwt(token)) return [];
  const message = `The access_token of ${inSentence(subject)} is not a JWT.`;
  const expected = 'a JWT in compact form, signed (three parts) or encrypted (five)';
  return [{ requirement: 'SSO-04', message, expected, actual: token }];
}

function refreshFindings(subject: string, { access_token: access, refresh_token: refresh }: JsonObject): Finding[] {
  if (typeof refresh !== 'string' || refresh === '' || refresh !== access) return [];
  const message = `The refresh_token of ${inSentence(subject)} is its access_token.`;
  return [{ requirement: 'SSO-05', message, expected: 'another token than the access token', actual: refresh }];
}

/** Where `expires_in` disagrees with a lifetime that the JWT states and that can be read. */
function lifetimeFindings(subject: string, grant: JsonObject, entry: Entry): Finding[] {
  const { expires_in: expiresIn, access_token: token } = grant;
  if (typeof expiresIn !== 'number' || !isJwt(token)) return [];
  const finding = (message: string, expected: string): Finding[] => [
    { requirement: 'SSO-08', message, expected, actual: expiresIn },
  ];
  if (expiresIn <= 0) return finding('expires_in is not a lifetime.', 'a positive number of seconds');
  const jwt = decodeJwt(token);
  const stated = jwt ? statedLifetimes(jwt.payload, entry) : [];
  const [first] = stated;
  if (!first || stated.some(({ seconds, tolerance }) => Math.abs(seconds - expiresIn) <= tolerance)) return [];
  return finding(
    `expires_in of ${inSentence(subject)} disagrees with the lifetime that the JWT states.`,
    `about ${Math.round(first.seconds)} (seconds)`,
  );
}

/** The lifetimes in seconds that the JWT can be read to state: from `iat`, and from the time of the answer. */
function statedLifetimes(payload: JsonObject, { answer, date: at }: Entry): { seconds: number; tolerance: number }[] {
  const { exp, iat } = payload;
  if (typeof exp !== 'number') return [];
  const date = Date.parse(answer.response.headers.date ?? '');
  const tolerance = (seconds: number): number => Math.max(30, Math.min(60, seconds * 0.1));
  const sinceIssue = typeof iat === 'number' ? [{ seconds: exp - iat, tolerance: tolerance(exp - iat) }] : [];
  // Where the token is older than the answer (a sliding session), its remaining time is its lifetime.
  if (Number.isFinite(date)) return [...sinceIssue, { seconds: exp - date / 1000, tolerance: 60 }];
  // Without the target's clock ours is the reference, which may differ from it.
  return sinceIssue.length > 0 ? sinceIssue : [{ seconds: exp - at / 1000, tolerance: 300 }];
}
