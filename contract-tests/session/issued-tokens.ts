import { LOGIN_PATH, SSO_PATH } from '../api/operations.ts';
import { findJwts } from '../api/tokens-in-answers.ts';
import type { Actor } from '../model.ts';
import { type Answer, isSuccess, jsonOf } from '../values/answer.ts';
import { isObject } from '../values/json.ts';
import { now } from '../wire/time.ts';
import { type Bearer, received } from './bearer.ts';

/** How an actor signs in: by the claims of 4.1, or by the login of part 5. */
export type Way = 'sso' | 'login';

/** An access token that the target handed out in this run. */
export interface Issued {
  actor: Actor;
  way: Way;
  /** Its place among the tokens of the answer: which of them is what is not shown for the login. */
  place: number;
  bearer: Bearer;
}

const SOURCES: Record<Way, string> = { sso: `POST ${SSO_PATH}`, login: `POST ${LOGIN_PATH}` };

/** The access tokens of a run's sign-ins. Refresh tokens that 4.1 names are none of them. */
export class IssuedTokens {
  readonly #byToken = new Map<string, Issued>();
  readonly #byAnswer = new WeakMap<Answer, Issued[]>();

  /** Notes what a sign-in answered, and gives it back: the access_token that 4.1 names, or every JWT of a login. */
  note(actor: Actor, way: Way, answer: Answer): Answer {
    if (!isSuccess(answer)) return answer;
    const receivedAt = now();
    const issued = tokensOf(way, answer).map((token, place) => ({
      actor,
      way,
      place,
      bearer: { ...received(token, SOURCES[way], answer), receivedAt },
    }));
    for (const each of issued) {
      this.#byToken.delete(each.bearer.token); // what is handed out again is the last of all
      this.#byToken.set(each.bearer.token, each);
    }
    this.#byAnswer.set(answer, issued);
    return answer;
  }

  /** The tokens of an answer that was noted, the likeliest access token first. */
  of(answer: Answer): Issued[] {
    return this.#byAnswer.get(answer) ?? [];
  }

  get(token: string): Issued | undefined {
    return this.#byToken.get(token);
  }
}

function tokensOf(way: Way, answer: Answer): string[] {
  if (way === 'login') return findJwts(answer);
  const json = jsonOf(answer);
  const token = isObject(json) ? json.access_token : undefined;
  return typeof token === 'string' && token !== '' ? [token] : [];
}
