import { LOGIN_PATH, SSO_PATH } from '../api/operations.ts';
import { findJwts } from '../api/tokens-in-answers.ts';
import { TransportError } from '../errors.ts';
import { blocked, CannotAsk, untested } from '../failure.ts';
import type { Actor } from '../model.ts';
import { type Answer, isSuccess, jsonOf } from '../values/answer.ts';
import { isObject } from '../values/json.ts';
import type { ClientRequest } from '../wire/exchange.ts';
import { now } from '../wire/time.ts';
import { type Bearer, isNearlySpent, isSpent, received } from './bearer.ts';
import type { Connection } from './connection.ts';

/** How an actor signs in: by the claims of 4.1, or by the login of part 5. */
type Way = 'sso' | 'login';
const PATHS: Record<Way, string> = { sso: SSO_PATH, login: LOGIN_PATH };

/** An access token that a sign-in of this run handed out. */
interface Issued {
  actor: Actor;
  way: Way;
  /** Its place among the tokens of the answer: which of them is the access token is not shown for the login. */
  place: number;
  bearer: Bearer;
}

/** Signs the actors in, by SSO (4.1) or password (5), and keeps what each of them works with. */
export class SigningIn {
  /** The access token that each actor works with. */
  readonly #inUse = new Map<Actor, Bearer>();
  readonly #byToken = new Map<string, Issued>();
  /** The tokens of each sign-in, the likeliest access token first. */
  readonly #byAnswer = new WeakMap<Answer, Issued[]>();
  /** When a refresh token of each actor was exchanged last, in milliseconds of this process. */
  readonly #exchangedAt = new Map<Actor, number>();
  /** The last sign-in of each actor. */
  readonly #later = new Map<Actor, { at: number; issued: Issued[] }>();

  constructor(private readonly connection: Connection) {
    connection.replacements = (token) => this.#replacements(token);
    connection.replaced = (token, by) => this.#replaced(token, by);
  }

  /** POST /v1/auth/sso with the actor's claims, sent as 4.1 says; once more with a header if that is refused with 401 or 403. */
  async sso(actor: Actor): Promise<Answer> {
    return this.connection.once(`sso ${actor}`, async () => {
      const answer = await this.#post(actor, 'sso');
      if (![401, 403].includes(answer.response.status)) return answer;
      const headers = { Authorization: `Bearer ${(await this.#tokenWithoutSso(actor)) ?? 'none'}` };
      const second = await this.#post(actor, 'sso', headers);
      return isSuccess(second) ? second : answer;
    });
  }

  /** POST /v1/auth/login with the fields that the target file gives, in addition to the sign-in that is in use; once a run. */
  async login(actor: Actor): Promise<Answer> {
    return this.connection.once(`login of ${actor} beside SSO`, () => this.again(actor, 'login'));
  }

  /** Signs in once more, which may end the session before: then #replacements finds the new one. */
  async again(actor: Actor, way: Way): Promise<Answer> {
    await this.#signIn(actor).catch(() => undefined);
    return this.#post(actor, way);
  }

  async #post(actor: Actor, way: Way, headers: Record<string, string> = {}): Promise<Answer> {
    return this.noted(actor, way, await this.connection.send({ ...this.request(actor, way), headers }));
  }

  /** The request of an actor's sign-in, for callers that send several at once. */
  request(actor: Actor, way: Way): ClientRequest {
    const json = this.connection.credentials(actor)[way];
    if (!json) throw untested(`the target file has no actors.${actor}.${way}`);
    return { method: 'POST', path: PATHS[way], json };
  }

  /** Notes that a refresh token of an actor was exchanged, which may have ended the sessions of that actor. */
  noteExchange(actor: Actor): void {
    this.#exchangedAt.set(actor, now());
  }

  /** Notes what a sign-in answered, and gives it back. */
  noted(actor: Actor, way: Way, answer: Answer): Answer {
    // One that is recalled is no sign-in of now.
    if (!isSuccess(answer) || this.#byAnswer.has(answer)) return answer;
    const issued = tokensOf(way, answer).map((token, place) => ({
      actor,
      way,
      place,
      bearer: received(token, `POST ${PATHS[way]}`, answer),
    }));
    this.#byAnswer.set(answer, issued);
    this.#later.set(actor, { at: now(), issued });
    for (const each of issued) {
      this.#byToken.set(each.bearer.token, each);
      this.connection.newTokens.note(each.bearer.token);
    }
    return answer;
  }

  /** A JWT access token of the actor: given, from SSO, or from the password login. */
  async accessToken(actor: Actor): Promise<Bearer> {
    const used = this.#inUse.get(actor) ?? (await this.#signIn(actor));
    const fresh = isNearlySpent(used) ? await this.#renewed(used.token) : undefined;
    this.#inUse.set(actor, fresh ?? used);
    return fresh ?? used;
  }

  /** A token may expire during the run: then its actor signs in again in the same way. */
  async #renewed(token: string): Promise<Bearer | undefined> {
    const issued = this.#byToken.get(token);
    if (!issued) return undefined;
    const { actor, way, place } = issued;
    const fresh = this.#byAnswer.get(await this.#post(actor, way))?.[place]?.bearer;
    if (fresh && this.#inUse.get(actor)?.token === token) this.#inUse.set(actor, fresh);
    return fresh;
  }

  /**
   * What to send instead of a refused token, the likeliest first: one of a new sign-in where it may have expired; where its
   * actor signed in once more since it was last good, one of that sign-in, since a target may allow one session a user. None
   * where it must still be valid.
   */
  async #replacements(token: string): Promise<string[]> {
    const bearer = this.#byToken.get(token)?.bearer;
    const goodAt = this.connection.acceptedAt.get(`Bearer ${token}`) ?? bearer?.receivedAt;
    const actor = [...this.#inUse].find(([, used]) => used.token === token)?.[0];
    const isExchanged = actor && goodAt !== undefined && (this.#exchangedAt.get(actor) ?? 0) > goodAt;
    if ((bearer && isSpent(bearer)) || isExchanged) {
      const fresh = await this.#renewed(token);
      return fresh ? [fresh.token] : [];
    }
    const later = actor && this.#later.get(actor);
    if (goodAt === undefined || !later || later.at < goodAt) return [];
    return later.issued.map((each) => each.bearer.token).filter((other) => other !== token);
  }

  /** Works with another token from now on, which was accepted where that of its actor was not. */
  #replaced(token: string, by: string): void {
    const bearer = this.#byToken.get(by)?.bearer;
    for (const [actor, used] of this.#inUse) if (used.token === token && bearer) this.#inUse.set(actor, bearer);
  }

  #signIn(actor: Actor): Promise<Bearer> {
    return this.connection.once(`access token ${actor}`, async () => {
      const { accessToken, sso, login } = this.connection.credentials(actor);
      if (accessToken) return { token: accessToken, source: `actors.${actor}.accessToken` };
      const problems: CannotAsk[] = [];
      for (const obtain of [sso && (() => this.#ssoToken(actor)), login && (() => this.#loginToken(actor))]) {
        if (!obtain) continue;
        try {
          return await obtain();
        } catch (error) {
          if (!(error instanceof CannotAsk || error instanceof TransportError)) throw error;
          problems.push(error instanceof CannotAsk ? error : untested(error.message));
        }
      }
      throw (
        problems[0] ??
        untested(`the target file gives ${actor} neither sso, login nor accessToken under actors.${actor}`)
      );
    });
  }

  async #ssoToken(actor: Actor): Promise<Bearer> {
    const answer = await this.sso(actor);
    const [issued] = this.#byAnswer.get(answer) ?? [];
    if (issued) return issued.bearer;
    const subject = `The SSO login of ${actor}`;
    if (!isSuccess(answer)) throw blocked('sso-claims-accepted', `${subject} answered ${answer.response.status}`);
    const isRead = isObject(jsonOf(answer));
    throw blocked(
      'sso-access-token',
      `${subject} did not ${isRead ? 'yield an access_token' : 'answer with a JSON object'}`,
    );
  }

  async #loginToken(actor: Actor): Promise<Bearer> {
    return this.connection.once(`login ${actor}`, async () => {
      const [issued] = this.#byAnswer.get(await this.#post(actor, 'login')) ?? [];
      if (!issued) throw blocked('login-jwt', `The password login of ${actor} did not yield a JWT`);
      return issued.bearer;
    });
  }

  async #tokenWithoutSso(actor: Actor): Promise<string | undefined> {
    const { accessToken, pat, login } = this.connection.credentials(actor);
    if (accessToken ?? pat) return accessToken ?? pat;
    // Only a better second try was wanted: what fails here is judged by its own rule.
    return (
      login &&
      this.#loginToken(actor).then(
        ({ token }) => token,
        () => undefined,
      )
    );
  }

  /** The bearer token that the actor has: an access token, else a given PAT. */
  async bearer(actor: Actor): Promise<Bearer> {
    const { accessToken, sso, login, pat } = this.connection.credentials(actor);
    const given = pat === undefined ? undefined : { token: pat, source: `actors.${actor}.pat` };
    if (given && !accessToken && !sso && !login) return given;
    return this.accessToken(actor).catch((error: unknown) => {
      if (given) return given;
      throw error;
    });
  }

  async authorization(actor: Actor): Promise<Record<string, string>> {
    return { Authorization: `Bearer ${(await this.bearer(actor)).token}` };
  }
}

/** The access_token that 4.1 names, or every JWT of a login. A refresh token that 4.1 names is none. */
function tokensOf(way: Way, answer: Answer): string[] {
  if (way === 'login') return findJwts(answer);
  const json = jsonOf(answer);
  const token = isObject(json) ? json.access_token : undefined;
  return typeof token === 'string' && token !== '' ? [token] : [];
}
