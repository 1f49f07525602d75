import { LOGIN_PATH, SSO_PATH } from '../api/operations.ts';
import { TransportError } from '../errors.ts';
import { blocked, CannotAsk, untested } from '../failure.ts';
import type { Actor } from '../model.ts';
import { type Answer, isSuccess } from '../values/answer.ts';
import type { JsonObject } from '../values/json.ts';
import type { ClientRequest } from '../wire/exchange.ts';
import { now } from '../wire/time.ts';
import { type Bearer, isNearlySpent, isSpent } from './bearer.ts';
import type { Connection } from './connection.ts';
import { type Issued, IssuedTokens, type Way } from './issued-tokens.ts';
import { objectOf } from './object-of.ts';

/** How SSO went: the answer, and whether it needed an Authorization header, which the document says is not used. */
export interface SsoOutcome {
  answer: Answer;
  withoutHeader: Answer;
  neededHeader: boolean;
}

/** Signs the actors in, by SSO (4.1) or password (5), and keeps what each of them works with. */
export class SigningIn {
  readonly #connection: Connection;
  /** The access token that each actor works with. */
  readonly #inUse = new Map<Actor, Bearer>();
  readonly #issued = new IssuedTokens();
  /** When a refresh token of each actor was exchanged last, in milliseconds of this process. */
  readonly #exchangedAt = new Map<Actor, number>();
  /** The answers of sign-ins that were noted. */
  readonly #seen = new WeakSet<Answer>();
  /** The last sign-in of each actor. */
  readonly #later = new Map<Actor, { at: number; issued: Issued[] }>();

  constructor(connection: Connection) {
    this.#connection = connection;
    connection.replacements = (token) => this.#replacements(token);
    connection.replaced = (token, by) => this.#replaced(token, by);
  }

  /** POST /v1/auth/sso with the actor's claims, sent as 4.1 says; once more with a header if that is refused with 401 or 403. */
  async sso(actor: Actor): Promise<SsoOutcome> {
    return this.#connection.once(`sso ${actor}`, async () => {
      const withoutHeader = await this.#postSso(actor);
      if (isSuccess(withoutHeader) || ![401, 403].includes(withoutHeader.response.status)) {
        return { answer: withoutHeader, withoutHeader, neededHeader: false };
      }
      const answer = await this.#postSso(actor, {
        Authorization: `Bearer ${(await this.#tokenWithoutSso(actor)) ?? 'none'}`,
      });
      return isSuccess(answer)
        ? { answer, withoutHeader, neededHeader: true }
        : { answer: withoutHeader, withoutHeader, neededHeader: false };
    });
  }

  /** An SSO login of an actor beside the one that is shared. */
  async sendSso(actor: Actor): Promise<Answer> {
    return this.#signInAgain(actor, () => this.#postSso(actor));
  }

  async #postSso(actor: Actor, headers: Record<string, string> = {}): Promise<Answer> {
    return this.noteSso(actor, await this.#connection.send({ ...this.ssoRequest(actor), headers }));
  }

  /** The request of an actor's SSO login, for whoever sends several at once. */
  ssoRequest(actor: Actor): ClientRequest {
    const { sso } = this.#connection.credentials(actor);
    if (!sso) throw untested(`the target file has no actors.${actor}.sso`);
    return { method: 'POST', path: SSO_PATH, json: sso };
  }

  /** Notes what such a login answered, and gives it back. */
  noteSso(actor: Actor, answer: Answer): Answer {
    return this.#noted(actor, 'sso', answer);
  }

  #noted(actor: Actor, way: Way, answer: Answer): Answer {
    // One that is recalled is no sign-in of now.
    if (this.#seen.has(answer)) return answer;
    this.#seen.add(answer);
    this.#issued.note(actor, way, answer);
    if (isSuccess(answer)) this.#later.set(actor, { at: now(), issued: this.#issued.of(answer) });
    for (const { bearer } of this.#issued.of(answer)) this.#connection.newTokens.note(bearer.token);
    return answer;
  }

  /** Notes that a refresh token of an actor was exchanged, which may have ended the sessions of that actor. */
  noteExchange(actor: Actor): void {
    this.#exchangedAt.set(actor, now());
  }

  /** Signs in once more, which may end the session before: then #replacement finds the new one. */
  async #signInAgain(actor: Actor, signIn: () => Promise<Answer>): Promise<Answer> {
    await this.#signIn(actor).catch(() => undefined);
    return signIn();
  }

  /** The JSON object that the SSO login of an actor answered. */
  async ssoGrant(actor: Actor): Promise<JsonObject> {
    const { answer } = await this.sso(actor);
    return objectOf(
      answer,
      isSuccess(answer) ? 'sso-access-token' : 'sso-claims-accepted',
      `The SSO login of ${actor}`,
    );
  }

  /** POST /v1/auth/login with the fields that the target file gives, beside the sign-in that is in use; once a run. */
  async login(actor: Actor): Promise<Answer> {
    return this.#connection.once(`login of ${actor} beside SSO`, () => this.sendLogin(actor));
  }

  /** One more login of an actor. */
  async sendLogin(actor: Actor): Promise<Answer> {
    return this.#signInAgain(actor, () => this.#postLogin(actor));
  }

  async #postLogin(actor: Actor): Promise<Answer> {
    const { login } = this.#connection.credentials(actor);
    if (!login) throw untested(`the target file has no actors.${actor}.login`);
    const answer = await this.#connection.send({ method: 'POST', path: LOGIN_PATH, json: login });
    return this.#noted(actor, 'login', answer);
  }

  /** A JWT access token of the actor: given, from SSO, or from the password login. */
  async accessToken(actor: Actor): Promise<Bearer> {
    const used = this.#inUse.get(actor) ?? (await this.#signIn(actor));
    const fresh = isNearlySpent(used) ? await this.#renewed(used.token) : undefined;
    this.#inUse.set(actor, fresh ?? used);
    return fresh ?? used;
  }

  /** A token may expire during the run: then its actor signs in anew in the same way. */
  async #renewed(token: string): Promise<Bearer | undefined> {
    const issued = this.#issued.get(token);
    if (!issued) return undefined;
    const { actor, way, place } = issued;
    const answer = way === 'sso' ? await this.#postSso(actor) : await this.#postLogin(actor);
    const fresh = this.#issued.of(answer)[place]?.bearer;
    if (fresh && this.#inUse.get(actor)?.token === token) this.#inUse.set(actor, fresh);
    return fresh;
  }

  /**
   * What to send instead of a refused token, the likeliest first: one of a new sign-in where it may have expired; where its
   * actor signed in once more since it was last good, one of that sign-in, since a target may allow one session a user. None
   * where it must still be valid.
   */
  async #replacements(token: string): Promise<string[]> {
    const issued = this.#issued.get(token);
    if (issued && isSpent(issued.bearer)) {
      const fresh = await this.#renewed(token);
      return fresh ? [fresh.token] : [];
    }
    const goodAt = this.#connection.acceptedAt.get(`Bearer ${token}`) ?? issued?.bearer.receivedAt;
    const actor = [...this.#inUse].find(([, used]) => used.token === token)?.[0];
    if (actor && goodAt !== undefined && (this.#exchangedAt.get(actor) ?? 0) > goodAt) {
      const fresh = await this.#renewed(token);
      return fresh ? [fresh.token] : [];
    }
    const later = actor && this.#later.get(actor);
    if (goodAt === undefined || !later || later.at < goodAt) return [];
    return later.issued.map(({ bearer }) => bearer.token).filter((other) => other !== token);
  }

  /** Works with another token from now on, which was accepted where that of its actor was not. */
  #replaced(token: string, by: string): void {
    const bearer = this.#issued.get(by)?.bearer;
    for (const [actor, used] of this.#inUse) if (used.token === token && bearer) this.#inUse.set(actor, bearer);
  }

  #signIn(actor: Actor): Promise<Bearer> {
    return this.#connection.once(`access token ${actor}`, async () => {
      const { accessToken, sso, login } = this.#connection.credentials(actor);
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
    const token = (await this.ssoGrant(actor)).access_token;
    if (typeof token !== 'string' || token === '')
      throw blocked('sso-access-token', `The SSO login of ${actor} did not yield an access_token`);
    return this.#issued.get(token)?.bearer ?? { token, source: `POST ${SSO_PATH}` };
  }

  async #loginToken(actor: Actor): Promise<Bearer> {
    return this.#connection.once(`login ${actor}`, async () => {
      const [issued] = this.#issued.of(await this.#postLogin(actor));
      if (!issued) throw blocked('login-jwt', `The password login of ${actor} did not yield a JWT`);
      return issued.bearer;
    });
  }

  async #tokenWithoutSso(actor: Actor): Promise<string | undefined> {
    const { accessToken, pat, login } = this.#connection.credentials(actor);
    if (accessToken ?? pat) return accessToken ?? pat;
    if (!login) return undefined;
    try {
      return (await this.#loginToken(actor)).token;
    } catch {
      return undefined; // only a better second try was wanted; what failed here is judged by its own check
    }
  }

  /** Whatever bearer token the actor has: an access token, else a given PAT. */
  async bearer(actor: Actor): Promise<Bearer> {
    const { accessToken, sso, login, pat } = this.#connection.credentials(actor);
    if (pat && !accessToken && !sso && !login) return { token: pat, source: `actors.${actor}.pat` };
    try {
      return await this.accessToken(actor);
    } catch (error) {
      if (pat) return { token: pat, source: `actors.${actor}.pat` };
      throw error;
    }
  }

  /** The Authorization header of an actor. */
  async authorization(actor: Actor): Promise<Record<string, string>> {
    return { Authorization: `Bearer ${(await this.bearer(actor)).token}` };
  }
}
