import { fieldsOf } from '../api/records.ts';
import { isObject, type JsonObject } from '../values/json.ts';
import { isJwt } from '../values/jwt.ts';
import { hasAll, Undetermined } from './probe.ts';
import { answerFor, learnTemplate, type Place } from './shape-learner.ts';

const USER_FIELDS = Object.keys(fieldsOf('User'));

/** What stands for a value of a sign-in's answer. What is not known is never written down: it may be a credential. */
function candidates(value: unknown, { name }: Place): unknown[] {
  if (value === null || typeof value === 'boolean') return [value];
  if (typeof value === 'number') return /expires?_?in|lifetime|ttl/i.test(name) ? ['${expiresIn}'] : [];
  if (isObject(value)) return hasAll(value, USER_FIELDS) ? ['${user}'] : [];
  if (typeof value !== 'string') return [];
  if (/refresh/i.test(name)) return ['${refreshToken}'];
  if (isJwt(value) || /^(?:access_?)?token$/i.test(name)) return ['${accessToken}'];
  if (/expires/i.test(name) && !Number.isNaN(Date.parse(value))) return ['${expiresAt}'];
  return /^[A-Za-z]{1,12}$/.test(value) && /type|kind|scope/i.test(name) ? [value] : [];
}

/**
 * The shape of a sign-in's answer: as a profile names it, or written out. Where members beyond those are not known, the
 * named shape whose members are all there.
 */
export function grantShape(gapId: string, grant: JsonObject, known: readonly [string, string[]][]): unknown {
  try {
    return answerFor(gapId, {
      template: learnTemplate([grant], { candidates: ({ value }, place) => candidates(value, place) }),
    });
  } catch (error) {
    const fitting = known.find(([, members]) => hasAll(grant, members));
    if (fitting && error instanceof Undetermined) return fitting[0];
    throw new Undetermined(`it answers ${Object.keys(grant).join(', ')}: ${(error as Error).message}`);
  }
}
