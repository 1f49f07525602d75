import { namedActors, type TargetActors } from '../api/named-actors.ts';
import { OPERATIONS } from '../api/operations.ts';
import { type Reading, storedIn } from '../api/reading.ts';
import { isExchanged } from '../api/tokens-in-answers.ts';
import { type Answer, isSuccess, jsonOf } from '../values/answer.ts';
import { isObject, parseJson } from '../values/json.ts';
import { isJwt } from '../values/jwt.ts';
import { decoded } from '../values/url.ts';
import type { Actors, Asked, Credential, Entry, FlawKind, Log, Recorded, SentRefresh } from './entry.ts';
import { FLAWS, isOk } from './entry.ts';
import { OperationsIn } from './operations-in.ts';
import { TokensSeen } from './tokens.ts';

/** Where the API is, and whose requests are in the log. */
export interface LogOptions {
  /** Where the token scopes may be, whose path the document does not show. */
  scopesPaths: readonly string[];
  /** Where absent, the API is looked for. */
  baseUrl?: string;
  actors?: TargetActors;
  resources?: Readonly<Record<string, unknown>>;
  reads?: { recording: Reading };
  isPartial: boolean;
}

const isFlaw = (kind: string): kind is FlawKind => kind in FLAWS;

/** The bearer token of a request; undefined without one. */
export const bearerOf = ({ request }: Answer): string | undefined => {
  const header = request.headers.Authorization ?? request.headers.authorization;
  return header === undefined ? undefined : /^Bearer(?: +(\S.*)?)?$/i.test(header) ? header.slice(7).trim() : undefined;
};

/** Builds a log: says of each exchange what the ones before it show of its operation and its credentials. */
export class LogBuilder {
  readonly operations: OperationsIn;
  readonly #tokens = new TokensSeen();
  readonly #actors: Actors;
  readonly #entries: Entry[] = [];
  /** Whose a refresh token is. */
  readonly #holders = new Map<string, string>();
  /** The answers that exchanged refresh tokens. */
  readonly #exchanged = new Map<string, Answer>();
  readonly #owners = new Map<string, string>();
  readonly #claims: readonly (readonly [claims: string, actor: string])[];
  #n = 0;

  constructor(private readonly options: LogOptions) {
    this.operations = new OperationsIn(options.scopesPaths, options.baseUrl);
    this.#actors = namedActors(options.actors);
    const actors = Object.entries(this.#actors);
    this.#claims = actors.flatMap(([actor, given]) =>
      [given?.sso, given?.login].flatMap((claims) => (claims ? [[canonical(claims), actor] as const] : [])),
    );
    for (const [actor, given] of actors)
      for (const token of [given?.accessToken, given?.pat])
        if (token !== undefined) {
          this.#tokens.give(token);
          this.#owners.set(token, actor);
        }
  }

  /** Adds the next exchange; undefined where it is not one of the API. */
  add(recorded: Recorded, asked?: Asked): Entry | undefined {
    const found = this.operations.find(recorded.answer.request);
    if (!found) return undefined;
    this.#n += 1;
    const { search } = new URL(recorded.answer.request.url);
    const resource = found.operation && resourceIn(OPERATIONS[found.operation].path, found.path);
    const reading = recorded.answer.request.method === 'GET' ? this.options.reads?.recording : undefined;
    const stored =
      reading && isSuccess(recorded.answer) ? storedIn(reading, found.path, jsonOf(recorded.answer)) : undefined;
    const refresh = found.operation === undefined ? this.#refreshIn(recorded.answer) : undefined;
    const entry: Entry = {
      ...recorded,
      n: this.#n,
      ...found,
      resource,
      query: [...new URLSearchParams(search)],
      credential: this.#credentialOf(recorded.answer, asked),
      refresh,
      stored,
      asked,
    };
    this.#entries.push(entry);
    this.#learn(entry);
    if (refresh && !refresh.exchanged && isExchanged(recorded.answer))
      this.#exchanged.set(refresh.token, recorded.answer);
    return entry;
  }

  /** How many exchanges were of the API. */
  get count(): number {
    return this.#n;
  }

  get log(): Log {
    const { resources = {}, isPartial } = this.options;
    return { entries: this.#entries, actors: this.#actors, resources, isPartial };
  }

  /** Forgets all exchanges but those that `isKept` names: a recording of any length is judged in windows. */
  forget(isKept: (entry: Entry) => boolean): void {
    const kept = this.#entries.filter(isKept);
    this.#entries.length = 0;
    this.#entries.push(...kept);
  }

  /** The refresh token that a request sends; undefined where it sends none that an answer handed out. */
  #refreshIn(answer: Answer): SentRefresh | undefined {
    const { method, body } = answer.request;
    if (method !== 'POST') return undefined;
    const sent = parseJson(body ?? '');
    const { refresh } = this.#tokens;
    const isRefresh = (value: unknown): value is string => typeof value === 'string' && refresh.has(value);
    const members = isObject(sent) ? sent : {};
    const token = [...Object.values(members), bearerOf(answer)].find(isRefresh);
    if (token === undefined) return undefined;
    const template = Object.fromEntries(
      Object.entries(members).map(([name, value]) => [name, value === token ? '${refreshToken}' : value]),
    );
    const isMember = Object.values(members).includes(token);
    return { token, template: isMember ? template : undefined, exchanged: this.#exchanged.get(token) };
  }

  #credentialOf(answer: Answer, asked: Asked | undefined): Credential {
    const token = bearerOf(answer);
    const header = answer.request.headers.Authorization;
    // Another scheme than Bearer is none of the two tokens of part 5, and not made up either.
    if (token === undefined && header !== undefined) return { kind: 'opaque' };
    const known = token === undefined ? undefined : this.#tokens.issued.get(token);
    const kind = asked?.flaw && !known ? (isJwt(token) ? 'tampered-jwt' : 'garbage') : this.#tokens.kindOf(token);
    const who = token === undefined ? undefined : this.#owners.get(token);
    const flawed = kind === 'none' ? 'no-credentials' : kind;
    const flaw = asked?.flaw ?? (isFlaw(flawed) ? { kind: flawed, what: FLAWS[flawed].what } : undefined);
    return { kind, token, issued: known, who, flaw };
  }

  #learn(entry: Entry): void {
    const { operation, answer } = entry;
    const tokens = this.#tokens.learn(entry);
    if (tokens.length === 0 && !isOk(entry)) return;
    const body = answer.request.body ?? '';
    const who =
      operation === 'sso' || operation === 'login'
        ? (this.#claims.find(([claims]) => claims === canonical(parseJson(body)))?.[1] ?? body)
        : (entry.credential.who ?? [...this.#holders].find(([refresh]) => body.includes(refresh))?.[1]);
    if (who === undefined) return;
    for (const { token, isRefresh } of tokens) {
      if (isRefresh) this.#holders.set(token, who);
      // Who a token is of is said by the answer that handed it out first.
      else if (!this.#owners.has(token)) this.#owners.set(token, who);
    }
  }
}

/** The decoded parameter of a path template; undefined where it has none. */
function resourceIn(template: string | undefined, path: string): string | undefined {
  if (template === undefined || !template.includes('{')) return undefined;
  const at = template.split('/').findIndex((part) => part.startsWith('{'));
  return decoded(path.split('/')[at] ?? '');
}

/** JSON with its members in one order, so that equal claims have equal texts. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
