import { apiKeysPath, OPERATIONS, PAT_CREATION_PATH, PAT_NAME } from '../api/operations.ts';
import { findPats } from '../api/tokens-in-answers.ts';
import { blocked, untested } from '../failure.ts';
import { ACTORS, type Actor } from '../model.ts';
import { type Answer, isSuccess, jsonOf } from '../values/answer.ts';
import { findStrings, isObject, type JsonObject, parseJson } from '../values/json.ts';
import type { ClientRequest } from '../wire/exchange.ts';
import type { Bearer } from './bearer.ts';
import type { Connection } from './connection.ts';
import { namedFields, withNamed } from './named-fields.ts';
import type { SigningIn } from './signing-in.ts';
import type { TokenScopes } from './token-scopes.ts';

/** More than these are not tried: each is a request that may make a PAT. */
const MAX_BODIES = 9;

/**
 * Bodies to ask for a PAT with, since none is documented: with scopes first, so that the PAT may do much; but where the
 * gap is probed, the leanest first, since the refusals show what is needed.
 */
function patBodies(name: string, scopeLists: string[][], leanestFirst: boolean): JsonObject[] {
  const withScopes = scopeLists.slice(0, 3).map((scopes) => ({ name, scopes }));
  const last = { name, scopes: [], expires_in_days: 1 };
  return leanestFirst ? [{}, { name }, ...withScopes, last] : [...withScopes, { name }, last, {}];
}

/** Personal access tokens (5): given ones, and the one that the suite makes. */
export class Pats {
  /** Another one in each run, since a target may keep names unique, and no documented operation removes a PAT. */
  readonly #name: string;
  /** Whose each PAT is that this run made, in the order in which they were. */
  readonly #made = new Map<string, Actor>();
  /** The last one of each actor, where it is not the first one. */
  readonly #latest = new Map<Actor, string>();

  constructor(
    private readonly connection: Connection,
    private readonly signIn: SigningIn,
    private readonly scopes: Pick<TokenScopes, 'of' | 'path' | 'isSearching'>,
  ) {
    this.#name = `${PAT_NAME} ${connection.mark}`;
  }

  /** The PAT that the suite works with, given or created. No documented operation revokes it: a run makes three at the most. */
  async of(actor: Actor): Promise<Bearer> {
    const given = this.connection.credentials(actor).pat;
    if (given) return { token: given, source: `actors.${actor}.pat` };
    const token = this.#latest.get(actor) ?? (await this.made(actor));
    if (!token) throw blocked('pat-form', `${OPERATIONS.pat.name} did not answer a PAT of the documented form`);
    return { token, source: OPERATIONS.pat.name };
  }

  /** The PAT that POST /v1/api-tokens made: where its answer holds several of that form, the first that is accepted anywhere. */
  async made(actor: Actor): Promise<string | undefined> {
    const created = await this.created(actor);
    const found = isSuccess(created) ? findPats(created) : [];
    return found.length < 2
      ? found[0]
      : this.connection.once(`pat ${actor} of several`, () => this.#firstAccepted(found));
  }

  async #firstAccepted(pats: string[]): Promise<string | undefined> {
    const { tenantId } = this.connection.target.resources ?? {};
    const paths = [...(this.scopes.isSearching ? [] : [await this.scopes.path().catch(() => undefined)])];
    if (tenantId !== undefined) paths.push(apiKeysPath(tenantId));
    for (const pat of pats) {
      for (const path of paths) {
        if (path === undefined) continue;
        const headers = { Authorization: `Bearer ${pat}` };
        if (isSuccess(await this.connection.send({ method: 'GET', path, headers }))) return pat;
      }
    }
    return pats[0];
  }

  /**
   * What POST /v1/api-tokens answered: a success, or that there is no such operation. The request's body is not
   * documented, so few likely ones are tried; refusing them all proves nothing.
   */
  async created(actor: Actor): Promise<Answer> {
    return this.connection.once(`pat ${actor}`, async () => {
      const headers = await this.signIn.authorization(actor);
      const scopeLists = await this.#scopeNames(actor);
      const bodies = patBodies(this.#name, scopeLists, this.connection.config.leanPat ?? false);
      const refusals: string[] = [];
      const sent = new Set<string>();
      // A refusal may name what it misses: that body is sent next.
      for (let json = bodies.shift(); json !== undefined; json = bodies.shift()) {
        sent.add(Object.keys(json).toSorted().join());
        const answer = await this.connection.send({ method: 'POST', path: PAT_CREATION_PATH, json, headers });
        if (isSuccess(answer)) {
          this.#note(actor, answer);
          return answer;
        }
        if ([404, 405, 501].includes(answer.response.status)) return answer;
        refusals.push(`${answer.response.status} for {${Object.keys(json).join(', ')}}`);
        const named = withNamed(json, namedFields(answer), this.#name, scopeLists[0] ?? []);
        if (sent.size < MAX_BODIES && !sent.has(Object.keys(named).toSorted().join())) bodies.unshift(named);
        if ([401, 403, 429].includes(answer.response.status)) break;
      }
      const advice = this.connection.credentials(actor).pat
        ? 'waive it with --allow-untested'
        : `set actors.${actor}.pat`;
      throw untested(
        `${OPERATIONS.pat.name}, whose body is not documented, refused what the suite tried (${refusals.join('; ')}); ${advice}`,
      );
    });
  }

  /**
   * What to send instead of a PAT that was accepted and is refused: a new one may replace the one before, since how many a
   * user may have is not shown. None where none was made after it.
   */
  newerThan(token: string): string[] {
    if (!this.connection.acceptedAt.has(`Bearer ${token}`)) return [];
    const given = ACTORS.find((each) => this.connection.credentials(each).pat === token);
    const actor = this.#made.get(token) ?? given;
    const last = [...this.#made].findLast(([, owner]) => owner === actor)?.[0];
    return last === undefined || last === token ? [] : [last];
  }

  /** The requests of one more PAT of each actor who can sign in, with the body that made the first one. */
  async others(): Promise<{ actor: Actor; request: ClientRequest }[]> {
    const body = parseJson((await this.created('admin')).request.body ?? '');
    const requests: { actor: Actor; request: ClientRequest }[] = [];
    for (const actor of ACTORS.filter((each) => Object.keys(this.connection.credentials(each)).length > 0)) {
      const json = await this.#bodyFor(actor, isObject(body) ? body : {});
      const headers = await this.signIn.authorization(actor);
      requests.push({ actor, request: { method: 'POST', path: PAT_CREATION_PATH, json, headers } });
    }
    return requests;
  }

  /** The body that made admin's first PAT, for another one of an actor: with the scopes that are available to that one. */
  async #bodyFor(actor: Actor, first: JsonObject): Promise<JsonObject> {
    const named = Object.keys(first).filter((field) => first[field] === this.#name);
    const [scopes] = 'scopes' in first && actor !== 'admin' ? await this.#scopeNames(actor) : [];
    return {
      ...first,
      ...Object.fromEntries(named.map((field) => [field, `${this.#name} ${actor}`])),
      ...(scopes ? { scopes } : {}),
    };
  }

  /** Notes one more PAT of an actor, which the suite works with from now on; gives it. */
  noteOther(actor: Actor, answer: Answer): string | undefined {
    if (!isSuccess(answer)) return undefined;
    this.#note(actor, answer);
    const [token, ...others] = findPats(answer);
    if (token !== undefined && others.length === 0) this.#latest.set(actor, token);
    return token;
  }

  #note(actor: Actor, answer: Answer): void {
    for (const token of findPats(answer)) {
      this.#made.set(token, actor);
      this.connection.newTokens.note(token);
    }
  }

  /** The names of the scopes, as a request would list them: a list of each member that may hold them. */
  async #scopeNames(actor: Actor): Promise<string[][]> {
    if (this.scopes.isSearching) return []; // the PAT is wanted to find the scopes in the first place
    try {
      const found = findStrings(jsonOf(await this.scopes.of(actor))).filter(({ value }) => /^\S+$/.test(value));
      const lists = [/^\d+$/, /^name$/i, /^scope$/i, /^key$/i, /^(value|code|slug)$/i, /^id$/i].map((member) => [
        ...new Set(found.filter(({ path }) => member.test(path.at(-1) ?? '')).map(({ value }) => value)),
      ]);
      return lists.filter((names) => names.length > 0).map((names) => names.slice(0, 100));
    } catch {
      return []; // without the scopes a PAT is requested by its name alone
    }
  }
}
