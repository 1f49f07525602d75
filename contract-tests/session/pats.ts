import { OPERATIONS, PAT_CREATION_PATH, PAT_NAME } from '../api/operations.ts';
import { isPatForm } from '../api/token-forms.ts';
import { findPats } from '../api/tokens-in-answers.ts';
import { blocked, CannotAsk } from '../errors.ts';
import { type Entry, isOk } from '../log/entry.ts';
import { ACTORS, type Actor } from '../model.ts';
import { type Answer, isSuccess, jsonOf, sentIn } from '../values/answer.ts';
import { findStrings, type JsonObject, memberOf, objectOf } from '../values/json.ts';
import type { ClientRequest } from '../wire/exchange.ts';
import type { SignedIn } from './signing-in.ts';
import type { TokenScopes } from './token-scopes.ts';

/** More than these are not tried: each is a request that may make a PAT. */
const MAX_BODIES = 9;
/** Members of a scope that may hold its name; a list of texts has numbers. */
const NAME_MEMBERS = [/^\d+$/, /^name$/i, /^scope$/i, /^key$/i, /^(value|code|slug)$/i, /^id$/i];

/** Personal access tokens (5): given ones, and the one that the suite makes. */
export class Pats {
  /** Another one in each run, since a target may keep names unique, and no documented operation removes a PAT. */
  readonly #name: string;

  constructor(private readonly session: SignedIn & { readonly scopes: TokenScopes }) {
    this.#name = `${PAT_NAME} ${session.mark}`;
  }

  /** The PAT that the suite works with, given or created. No documented operation revokes it: a run makes three at the most. */
  async of(actor: Actor): Promise<string> {
    const given = this.session.credentials(actor).pat;
    const known = given ?? this.#lastOf(actor);
    if (known !== undefined) return known;
    const answer = await this.created(actor);
    const { name } = OPERATIONS.pat;
    if (!isSuccess(answer)) throw blocked('pat-created', `${name} answered ${answer.response.status}`);
    const token = patIn(answer);
    if (!token) throw blocked('pat-form', `${name} did not answer a PAT of the documented form`);
    return token;
  }

  /** What POST /v1/api-tokens answered: a success, or that it does not exist. A few likely bodies are tried. */
  async created(actor: Actor): Promise<Answer> {
    return this.session.once(`pat ${actor}`, async () => {
      const headers = await this.session.signIn.authorization(actor);
      const scopeLists = await this.scopeNames(actor);
      const bodies = this.#bodies(scopeLists);
      const refusals: string[] = [];
      const sent = new Set<string>();
      // A refusal may name what it misses: that body is sent next.
      for (let json = bodies.shift(); json !== undefined; json = bodies.shift()) {
        sent.add(Object.keys(json).toSorted().join());
        const answer = await this.session.send({ method: 'POST', path: PAT_CREATION_PATH, json, headers });
        const { status } = answer.response;
        if (isSuccess(answer) || [404, 405, 501].includes(status)) return answer;
        refusals.push(`${status} for {${Object.keys(json).join(', ')}}`);
        if ([401, 403, 429].includes(status)) break;
        const values = namedFields(answer).map((field) => [field, this.#valueFor(field, scopeLists[0] ?? [])]);
        const named = { ...json, ...Object.fromEntries(values) };
        if (sent.size < MAX_BODIES && !sent.has(Object.keys(named).toSorted().join())) bodies.unshift(named);
      }
      const what = `${OPERATIONS.pat.name}, whose body is not documented, refused what the suite tried`;
      throw new CannotAsk(`${what} (${refusals.join('; ')}); set actors.${actor}.pat`);
    });
  }

  /** Bodies with scopes first, so that the PAT may do much; the leanest first where the gap is learned, or answered by the profile. */
  #bodies(scopeLists: string[][]): JsonObject[] {
    const name = this.#name;
    const withScopes = scopeLists.slice(0, 3).map((scopes) => ({ name, scopes }));
    const last = { name, scopes: [], expires_in_days: 1 };
    const { learns, answers } = this.session.config;
    const isLean = learns || 'pat-create-request' in answers;
    return isLean ? [{}, { name }, ...withScopes, last] : [...withScopes, { name }, last, {}];
  }

  /** What to send instead of a PAT that was accepted and is refused: a newer one may have replaced it. */
  newerThan(token: string): string | undefined {
    if (!isPatForm(token) || this.session.acceptedAt(token) === undefined) return undefined;
    const last = this.#lastOf(this.session.builder.known.get(token)?.who);
    return last === token ? undefined : last;
  }

  /** A PAT that is made instead of one that was accepted and is not any more, once a run; undefined where none can be made. */
  async renewed(token: string): Promise<string | undefined> {
    const { who } = this.session.builder.known.get(token) ?? {};
    const actor = ACTORS.find((each) => each === who);
    if (!actor || !this.session.config.allowWrites || this.session.acceptedAt(token) === undefined) return undefined;
    return this.session.once('another PAT', async () => {
      const [request] = await this.others([actor], `${actor} again`).catch(() => []);
      return request && patIn(await this.session.send(request));
    });
  }

  #lastOf(actor: string | undefined): string | undefined {
    const own = ({ operation, credential }: Entry): boolean => operation === 'pat' && credential.who === actor;
    const made = this.session.entries.findLast((entry) => own(entry) && isOk(entry));
    return made && patIn(made.answer);
  }

  #valueFor(field: string, scopes: readonly string[]): unknown {
    if (/scope|abilit|permission/i.test(field)) return scopes;
    if (/days|ttl|seconds|expires_?in|lifetime/i.test(field)) return 1;
    return /expir|until/i.test(field) ? new Date(Date.now() + 86_400_000).toISOString() : this.#name;
  }

  /** The requests of one more PAT of each actor who can sign in: the body that made the first one, with the actor's own scopes. */
  async others(actors: readonly Actor[] = ACTORS, suffix?: string): Promise<ClientRequest[]> {
    const first = objectOf(sentIn(await this.created('admin')));
    const requests: ClientRequest[] = [];
    for (const actor of actors.filter((each) => Object.keys(this.session.credentials(each)).length > 0)) {
      const [scopes = first.scopes] = 'scopes' in first && actor !== 'admin' ? await this.scopeNames(actor) : [];
      const named = Object.keys(first).filter((field) => memberOf(first, field) === this.#name);
      const names = Object.fromEntries(named.map((field) => [field, `${this.#name} ${suffix ?? actor}`]));
      const headers = await this.session.signIn.authorization(actor);
      requests.push({ method: 'POST', path: PAT_CREATION_PATH, json: { ...first, ...names, scopes }, headers });
    }
    return requests;
  }

  /** The names of the scopes, as a request would list them: a list of each member that may hold them. */
  async scopeNames(actor: Actor): Promise<string[][]> {
    // Without the scopes a PAT is requested by its name alone: it may be wanted to find them.
    const { scopes } = this.session;
    const answer = scopes.foundPath === undefined ? undefined : await scopes.of(actor).catch(() => undefined);
    const found = findStrings(answer && jsonOf(answer)).filter(({ value }) => /^\S+$/.test(value));
    return NAME_MEMBERS.map((member) => {
      const named = found.filter(({ path }) => member.test(path.at(-1) ?? ''));
      return [...new Set(named.map(({ value }) => value))].slice(0, 100);
    }).filter((names) => names.length > 0);
  }
}

export const patIn = (answer: Answer): string | undefined => (isSuccess(answer) ? findPats(answer)[0] : undefined);

const FIELD = /\b\w*(?:name|label|title|scope|abilit|permission|days|ttl|seconds|lifetime|expir|until)\w*/gi;

/** The fields that a refusal names, which it may miss. */
export const namedFields = (refusal: Answer): string[] => [
  ...new Set(findStrings(jsonOf(refusal)).flatMap(({ value }) => value.match(FIELD) ?? [])),
];
