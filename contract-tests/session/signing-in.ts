import { TransportError } from '../errors.ts';
import { blocked, CheckFailure, setUpError, untested } from '../failure.ts';
import type { Actor } from '../model.ts';
import { type Answer, type ClientRequest, isSuccess } from '../wire/exchange.ts';
import type { JsonObject } from '../wire/json.ts';
import { type Bearer, isNearlySpent, isSpent } from './bearer.ts';
import type { Connection } from './connection.ts';
import { type Issued, IssuedTokens } from './issued-tokens.ts';
import { apiKeysPath, LOGIN_PATH, SSO_PATH } from './operations.ts';
import { objectOf } from './records.ts';
import { findJwts } from './tokens-in-answers.ts';

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
  readonly #actors = new Map<string, Actor>();
  readonly #issued = new IssuedTokens();

  constructor(connection: Connection) {
    this.#connection = connection;
    connection.renewed = (token, status) => this.#renewedWhereOver(token, status);
  }

  /** Forgets the tokens in use, so that the actors sign in anew. */
  forget(): void {
    this.#inUse.clear();
  }

  /** Whose Authorization header this is; undefined when it is no actor's. */
  actorOf(authorization: string): Actor | undefined {
    return this.#actors.get(authorization);
  }

  /** Whether an Authorization header carries a token that a sign-in of this run handed out. */
  isOfSignIn(authorization: string): boolean {
    return this.issued(authorization.replace(/^Bearer /, '')) !== undefined;
  }

  /** The token as a sign-in of this run handed it out; undefined when none did. */
  issued(token: string): Issued | undefined {
    return this.#issued.get(token);
  }

  /** POST /v1/auth/sso with the actor's claims, sent as 4.1 says; once more with a header if that is refused with 401 or 403. */
  async sso(actor: Actor): Promise<SsoOutcome> {
    return this.#connection.recorder.once(`sso ${actor}`, async () => {
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
  async sendSso(actor: Actor, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#signInAgain(actor, () => this.#postSso(actor, headers));
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
    return this.#issued.note(actor, 'sso', answer);
  }

  /**
   * Signs in once more. A target may allow one session a user, so that this ends the session before; the document does not
   * say. Where the token in use was accepted, and is not any more, one of the new sign-in replaces it.
   */
  async #signInAgain(actor: Actor, signIn: () => Promise<Answer>): Promise<Answer> {
    const { tenantId } = this.#connection.target.resources ?? {};
    const used = await this.#signIn(actor).catch(() => undefined);
    const isAccepted = async ({ token }: { token: string }): Promise<boolean> =>
      tenantId !== undefined &&
      isSuccess(
        await this.#connection.send({
          method: 'GET',
          path: apiKeysPath(tenantId),
          headers: { Authorization: `Bearer ${token}` },
        }),
      );
    const wasAccepted = used !== undefined && (await isAccepted(this.#inUse.get(actor) ?? used));
    const answer = await signIn();
    if (!wasAccepted || !isSuccess(answer) || (await isAccepted(this.#inUse.get(actor) ?? used))) return answer;
    for (const token of findJwts(answer)) {
      if (await isAccepted({ token })) this.#inUse.set(actor, this.#issued.get(token)?.bearer ?? { ...used, token });
    }
    return answer;
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
    return this.#connection.recorder.once(`login of ${actor} beside SSO`, () =>
      this.#signInAgain(actor, () => this.#postLogin(actor)),
    );
  }

  async #postLogin(actor: Actor): Promise<Answer> {
    const { login } = this.#connection.credentials(actor);
    if (!login) throw untested(`the target file has no actors.${actor}.login`);
    const answer = await this.#connection.send({ method: 'POST', path: LOGIN_PATH, json: login });
    return this.#issued.note(actor, 'login', answer);
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

  /** The Authorization header of a new sign-in, which the actor works with from now on; undefined where there is no way. */
  async afresh(actor: Actor): Promise<Record<string, string> | undefined> {
    const used = this.#inUse.get(actor);
    const fresh = used && (await this.#renewed(used.token));
    return fresh && this.authorization(actor);
  }

  /**
   * What to send instead of a refused token that may have expired, or whose session a later sign-in may have
   * ended; undefined where it must still be valid.
   */
  async #renewedWhereOver(token: string, status: number): Promise<string | undefined> {
    const issued = this.#issued.get(token);
    if (!issued) return undefined;
    if (isSpent(issued.bearer)) return (await this.#renewed(token))?.token;
    const last = this.#issued.lastOf(issued.actor);
    if (status !== 401 || last.some(({ bearer }) => bearer.token === token)) return undefined;
    const alike = last.find(({ way, place }) => way === issued.way && place === issued.place);
    // What another way of signing in yields may be accepted elsewhere: only the same way shows the same.
    const later = alike?.bearer ?? (await this.#renewed(token));
    if (later && this.#inUse.get(issued.actor)?.token === token) this.#inUse.set(issued.actor, later);
    return later?.token;
  }

  #signIn(actor: Actor): Promise<Bearer> {
    return this.#connection.recorder.once(`access token ${actor}`, async () => {
      const { accessToken, sso, login } = this.#connection.credentials(actor);
      if (accessToken) return { token: accessToken, source: `actors.${actor}.accessToken` };
      const problems: CheckFailure[] = [];
      for (const obtain of [sso && (() => this.#ssoToken(actor)), login && (() => this.#loginToken(actor))]) {
        if (!obtain) continue;
        try {
          return await obtain();
        } catch (error) {
          if (!(error instanceof CheckFailure || error instanceof TransportError)) throw error;
          problems.push(error instanceof CheckFailure ? error : setUpError(error.message));
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
    return this.#connection.recorder.once(`login ${actor}`, async () => {
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
    const Authorization = `Bearer ${(await this.bearer(actor)).token}`;
    this.#actors.set(Authorization, actor);
    return { Authorization };
  }
}
