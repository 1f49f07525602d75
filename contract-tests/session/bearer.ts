import type { Answer } from '../values/answer.ts';
import { parseJson } from '../values/json.ts';
import { decodeJwt } from '../values/jwt.ts';
import { now } from '../wire/time.ts';

/** A credential that the target took, and where it came from. */
export interface Bearer {
  token: string;
  source: string;
  /** When it was answered, by this process's clock in milliseconds; absent where it was given. */
  receivedAt?: number;
  /** How many seconds it lives from then on, as far as the target says. */
  lifetime?: number;
}

/** A token as an answer hands it out. */
export function received(token: string, source: string, answer: Answer): Bearer {
  return { token, source, receivedAt: now(), lifetime: lifetimeOf(token, answer) };
}

/**
 * The shortest of the lifetimes that an answer states of a token: a token that is handed out again has less left than its
 * own claims say, and clocks may differ. Without any it is assumed to outlive the run.
 */
function lifetimeOf(token: string, { response }: Answer): number | undefined {
  const { exp, iat } = decodeJwt(token)?.payload ?? {};
  const answeredAt = Date.parse(response.headers.date ?? '') / 1000;
  const stated = [
    ...secondsIn(parseJson(response.body)),
    ...(typeof exp === 'number' && typeof iat === 'number' ? [exp - iat] : []),
    ...(typeof exp === 'number' ? [exp - answeredAt] : []),
  ].filter((seconds) => seconds > 0);
  return stated.length > 0 ? Math.min(...stated) : undefined;
}

/** The members of an answer that are named as `expires_in` is (4.1). */
function secondsIn(json: unknown): number[] {
  if (typeof json !== 'object' || json === null) return [];
  return Object.entries(json).flatMap(([name, value]) => {
    if (/^(access_?token_?)?expires_?in$/i.test(name)) return typeof value === 'number' ? [value] : [];
    return secondsIn(value);
  });
}

/** Seconds since a token's receipt. */
const ageOf = ({ receivedAt }: Bearer): number => (receivedAt === undefined ? 0 : (now() - receivedAt) / 1000);

/** Whether four fifths of a token's lifetime have passed. */
export const isNearlySpent = (bearer: Bearer): boolean => ageOf(bearer) > (bearer.lifetime ?? Infinity) * 0.8;

/** Whether a token may have expired by now: lifetimes are whole seconds, so that the last one may be missing. */
export const isSpent = (bearer: Bearer): boolean =>
  bearer.receivedAt !== undefined && ageOf(bearer) >= (bearer.lifetime ?? Infinity) - 1;
