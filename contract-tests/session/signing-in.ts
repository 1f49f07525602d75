import { isSignIn, OPERATIONS } from '../api/operations.ts';
import { findJwts } from '../api/tokens-in-answers.ts';
import { blocked, CannotAsk, TransportError } from '../errors.ts';
import type { Entry } from '../log/entry.ts';
import type { Actor } from '../model.ts';
import { type Answer, describe, isSuccess, jsonOf } from '../values/answer.ts';
import { asNumber, isObject } from '../values/json.ts';
import { decodeJwt } from '../values/jwt.ts';
import type { ClientRequest } from '../wire/exchange.ts';
import { now } from '../wire/time.ts';
import type { Connection } from './connection.ts';

type Way = 'sso' | 'login';

export type SignedIn = Connection & { readonly signIn: SigningIn };

const isWay = (way: unknown): way is Way => way === 'sso' || way === 'login';

/** Signs the actors in, by SSO (4.1) or password (5), and keeps what each of them works with. */
export class SigningIn {
  readonly #inUse = new Map<Actor, string>();

  constructor(private readonly connection: Connection) {}

  /** POST /v1/auth/sso with the actor's claims, sent as 4.1 says; once more with a header if that is refused with 401 or 403. */
  async sso(actor: Actor): Promise<Answer> {
    return this.connection.once(`sso ${actor}`, async () => {
      const answer = await this.again(actor, 'sso');
      if (![401, 403].includes(answer.response.status)) return answer;
      const { accessToken, pat = 'none' } = this.connection.credentials(actor);
      const second = await this.again(actor, 'sso', { Authorization: `Bearer ${accessToken ?? pat}` });
      return isSuccess(second) ? second : answer;
    });
  }

  async login(actor: Actor): Promise<Answer> {
    return this.connection.once(`login ${actor}`, () => this.again(actor, 'login'));
  }

  async again(actor: Actor, way: Way, headers: Record<string, string> = {}): Promise<Answer> {
    return this.connection.send({ ...this.request(actor, way), headers });
  }

  request(actor: Actor, way: Way): ClientRequest {
    const json = this.connection.credentials(actor)[way];
    if (!json) throw new CannotAsk(`the target file has no actors.${actor}.${way}`);
    return { method: 'POST', path: OPERATIONS[way].path, json };
  }

  /** A JWT access token of the actor: given, from SSO, or from the password login; another one where it is nearly over. */
  async accessToken(actor: Actor): Promise<string> {
    const used = this.#inUse.get(actor) ?? (await this.#signIn(actor));
    const isNearlyOver = this.#isAged(used, (lifetime) => lifetime * 0.8);
    const token = (isNearlyOver && (await this.renewed(used))) || used;
    this.#inUse.set(actor, token);
    return token;
  }

  /** Where a token came from: the operation that handed it out, else a field of the target file. */
  sourceOf(token: string): string {
    const { issued: { way } = {}, who = '' } = this.connection.builder.known.get(token) ?? {};
    const isPat = this.connection.credentials(who as Actor).pat === token;
    return way && way !== 'elsewhere' ? OPERATIONS[way].name : `actors.${who}.${isPat ? 'pat' : 'accessToken'}`;
  }

  #isAged(token: string, seconds: (lifetime: number) => number): boolean {
    const { issued } = this.connection.builder.known.get(token) ?? {};
    return issued !== undefined && now() - issued.at >= seconds(lifetimeOf(token, issued.answer)) * 1000;
  }

  /** A token of a new sign-in of the same actor, in the same way if possible; undefined where the target file gives none. */
  async renewed(token: string): Promise<string | undefined> {
    const { who, issued } = this.connection.builder.known.get(token) ?? {};
    const actor = who as Actor;
    const given = this.connection.credentials(actor);
    const way = [issued?.way, 'sso', 'login'].find(
      (each): each is Way => Object.hasOwn(given, each ?? '') && isWay(each),
    );
    if (way === undefined) return undefined;
    const fresh = tokenIn(way, await this.again(actor, way));
    if (fresh && this.#inUse.get(actor) === token) this.#inUse.set(actor, fresh);
    return fresh;
  }

  /** What to send instead of a refused token: one of a new sign-in, or of a later one, or exchange of a refresh token, that ended it. */
  async replacementFor(token: string): Promise<string | undefined> {
    const { entries, builder } = this.connection;
    const { known } = builder;
    const goodAt = this.connection.acceptedAt(token) ?? known.get(token)?.issued?.at ?? Number.POSITIVE_INFINITY;
    const actor = [...this.#inUse].find(([, used]) => used === token)?.[0];
    const isOwn = (entry: Entry): boolean => known.get(signedIn(entry) ?? entry.refresh?.token ?? '')?.who === actor;
    const last = actor && entries.findLast(isOwn);
    const ending = last && last.endedAt > goodAt ? last : undefined;
    const later = ending && signedIn(ending);
    // Lifetimes are whole seconds: the last one may be missing.
    const isOver = this.#isAged(token, (lifetime) => lifetime - 1);
    const other = isOver || (ending && !later) ? await this.renewed(token) : later;
    return other === token ? undefined : other;
  }

  isInUse(token: string): boolean {
    return [...this.#inUse.values()].includes(token);
  }

  /** Works with another token from now on, which was accepted where that of its actor was not. */
  replace(token: string, by: string): void {
    for (const [actor, used] of this.#inUse) if (used === token) this.#inUse.set(actor, by);
  }

  #signIn(actor: Actor): Promise<string> {
    return this.connection.once(`access token ${actor}`, async () => {
      const { accessToken, ...given } = this.connection.credentials(actor);
      if (accessToken) return accessToken;
      let problem: unknown;
      for (const way of (['sso', 'login'] as const).filter((each) => given[each]))
        try {
          return await this.#tokenBy(actor, way);
        } catch (error) {
          problem ??= error instanceof TransportError ? new CannotAsk(error.message) : error;
        }
      throw problem ?? new CannotAsk(`the target file has neither sso, login nor accessToken under actors.${actor}`);
    });
  }

  async #tokenBy(actor: Actor, way: Way): Promise<string> {
    const answer = await this[way](actor);
    const token = tokenIn(way, answer);
    if (token) return token;
    const rule = way === 'login' ? 'login-jwt' : 'sso-access-token';
    throw blocked(rule, `${OPERATIONS[way].name} gave ${actor} no access token: ${describe(answer)}`);
  }

  async bearer(actor: Actor): Promise<string> {
    const { pat } = this.connection.credentials(actor);
    return this.accessToken(actor).catch((error: unknown) => pat ?? Promise.reject(error));
  }

  async authorization(actor: Actor): Promise<Record<string, string>> {
    return { Authorization: `Bearer ${await this.bearer(actor)}` };
  }
}

const signedIn = ({ operation, answer }: Entry): string | undefined =>
  isSignIn(operation) ? tokenIn(operation, answer) : undefined;

/** The access_token that 4.1 names, or the likeliest JWT of a login. A refresh token that 4.1 names is none. */
export function tokenIn(way: Way, answer: Answer): string | undefined {
  if (!isSuccess(answer)) return undefined;
  const json = jsonOf(answer);
  const token = way === 'login' ? findJwts(answer)[0] : isObject(json) && json.access_token;
  return typeof token === 'string' && token !== '' ? token : undefined;
}

/** The members of an answer that are named as `expires_in` is (4.1). */
const LIFETIMES = /"(?:access_?token_?)?expires_?in"\s*:\s*(\d+)/gi;

/** The shortest lifetime that an answer states of a token, in seconds, since clocks differ; without any it outlives the run. */
export function lifetimeOf(token: string, { response }: Answer): number {
  const { exp, iat } = decodeJwt(token)?.payload ?? {};
  const answeredAt = Date.parse(response.headers.date ?? '') / 1000;
  const stated = [...response.body.matchAll(LIFETIMES)].map(([, seconds]) => Number(seconds));
  if (typeof exp === 'number') stated.push(exp - answeredAt, exp - asNumber(iat ?? Number.NaN));
  return Math.min(...stated.filter((seconds) => seconds > 0));
}
