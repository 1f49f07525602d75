import { describeForms, type LaxForm } from '../api/lax-forms.ts';
import { type ActorCredentials, type Actors, namedActors, type TargetActors } from '../api/named-actors.ts';
import { isSignIn } from '../api/operations.ts';
import { type Reading, storedIn } from '../api/reading.ts';
import { BASIC_CREDENTIALS } from '../api/token-forms.ts';
import { isExchanged } from '../api/tokens-in-answers.ts';
import { type Answer, isSuccess, jsonOf, sentIn } from '../values/answer.ts';
import { canonical, hasMember, isObject, memberOf, objectOf, setMember } from '../values/json.ts';
import { isJwt } from '../values/jwt.ts';
import { type Asked, type Credential, type Entry, FLAWS, type FlawKind, type Log, type Recorded } from './entry.ts';
import { OperationsIn } from './operations-in.ts';
import { type Known, TokensSeen } from './tokens.ts';

export interface LogOptions {
  /** Where the token scopes may be, whose path the document does not show. */
  scopesPaths: readonly string[];
  baseUrl?: string;
  actors?: TargetActors;
  resources?: Readonly<Record<string, unknown>>;
  reads?: { recording: Reading };
  isPartial: boolean;
}

const isFlaw = (kind: string): kind is FlawKind => hasMember(FLAWS, kind);

export const bearerOf = ({ request }: Answer): string | undefined => {
  const header = request.headers.Authorization ?? request.headers.authorization;
  return header === undefined ? undefined : /^Bearer(?: +(\S.*)?)?$/i.test(header) ? header.slice(7).trim() : undefined;
};

/** Builds a log: says of each exchange what the ones before it show of its operation and its credentials. */
export class LogBuilder {
  readonly operations: OperationsIn;
  readonly #tokens = new TokensSeen();
  readonly known: ReadonlyMap<string, Known> = this.#tokens.known;
  readonly #actors: Actors;
  readonly #entries: Entry[] = [];
  count = 0;

  constructor(private readonly options: LogOptions) {
    this.operations = new OperationsIn(options.scopesPaths, options.baseUrl);
    this.#actors = namedActors(options.actors);
    for (const [actor, given] of Object.entries(this.#actors))
      for (const token of [given?.accessToken, given?.pat]) if (token !== undefined) this.#tokens.give(token, actor);
  }

  add(recorded: Recorded, asked?: Asked): Entry | undefined {
    const { answer } = recorded;
    const { request } = answer;
    const found = this.operations.find(request);
    if (!found) return undefined;
    this.count += 1;
    const reading = request.method === 'GET' && isSuccess(answer) ? this.options.reads?.recording : undefined;
    const refresh = found.operation === undefined ? this.#refreshIn(answer) : undefined;
    const entry: Entry = {
      ...recorded,
      n: this.count,
      ...found,
      query: [...new URL(request.url).searchParams],
      credential: this.#credentialOf(answer, asked),
      refresh,
      stored: reading && storedIn(reading, found.path, jsonOf(answer)),
      asked,
    };
    this.#entries.push(entry);
    this.#tokens.learn(entry, this.#callerOf(entry));
    const exchanged = refresh && this.#tokens.known.get(refresh.token);
    if (exchanged && isExchanged(answer)) exchanged.exchanged ??= answer;
    return entry;
  }

  /** What a token is, and whose, as reports name it; undefined for an unknown one. */
  nameOf = (token: string): string | undefined => this.#tokens.nameOf(token);

  /** Lets the log know under which claims an actor of the target file signs in here. */
  meet(actor: string, claims: Record<string, string>): void {
    setMember<ActorCredentials | undefined>(this.#actors, actor, { ...memberOf(this.#actors, actor), sso: claims });
  }

  get log(): Log {
    const { resources = {}, isPartial } = this.options;
    return { entries: this.#entries, actors: this.#actors, resources, isPartial };
  }

  /** Forgets all exchanges but those that `isKept` names: a recording of any length is judged in windows. */
  forget(isKept: (entry: Entry) => boolean): void {
    this.#entries.splice(0, this.#entries.length, ...this.#entries.filter(isKept));
  }

  /** The refresh token that a request sends; undefined where it sends none that an answer handed out. */
  #refreshIn(answer: Answer): Entry['refresh'] {
    const members = Object.entries(objectOf(sentIn(answer)));
    const isRefresh = (value: unknown): value is string => this.#tokens.known.get(value as string)?.isRefresh === true;
    const token = [...members.map(([, value]) => value), bearerOf(answer)].find(isRefresh);
    if (answer.request.method !== 'POST' || token === undefined) return undefined;
    const template = members.map(([name, value]) => [name, value === token ? '${refreshToken}' : value]);
    const isMember = members.some(([, value]) => value === token);
    const { exchanged } = this.#tokens.known.get(token) ?? {};
    return { token, template: isMember ? Object.fromEntries(template) : undefined, exchanged };
  }

  #credentialOf(answer: Answer, asked: Asked | undefined): Credential {
    const { Authorization: header } = answer.request.headers;
    const token = header === BASIC_CREDENTIALS ? header : bearerOf(answer);
    // Another scheme than Bearer is none of the two tokens of part 5, and not made up either, unless by the suite.
    if (token === undefined && header !== undefined) return { kind: 'opaque' };
    const spelled = asked?.flaw || header === undefined ? undefined : this.#tokens.spelledIn(header);
    if (spelled) return this.#spelledCredential(spelled, isSuccess(answer));
    const { issued, who, isRefresh } = this.#tokens.known.get(token ?? '') ?? {};
    const kind = asked?.flaw && !issued ? (isJwt(token) ? 'tampered-jwt' : 'garbage') : this.#tokens.kindOf(token);
    const flawed = kind === 'none' ? 'no-credentials' : kind;
    const flaw = asked?.flaw ?? (isFlaw(flawed) ? { kind: flawed, what: FLAWS[flawed].what } : undefined);
    if (flaw && token) this.#tokens.noteFlaw(token, flaw.what);
    return { kind, token, issued, who: isRefresh ? undefined : who, flaw };
  }

  /** Where it is accepted in another form, it is as good as it is. */
  #spelledCredential({ token, forms }: { token: string; forms: readonly LaxForm[] }, isAccepted: boolean): Credential {
    const { issued, who } = this.#tokens.known.get(token) ?? {};
    const flaw = isAccepted ? undefined : ({ kind: 'lax-token', what: describeForms(forms) } as const);
    return { kind: this.#tokens.kindOf(token), token, issued, who, flaw, forms };
  }

  #callerOf({ operation, answer, credential, refresh }: Entry): string | undefined {
    if (!isSignIn(operation)) return credential.who ?? (refresh && this.#tokens.known.get(refresh.token)?.who);
    return signerOf(this.#actors, answer);
  }
}

/** Who signs in: the actor of the target file, else the body of the sign-in. More members than the actor has say nothing. */
export function signerOf(actors: Actors, answer: Answer): string | undefined {
  const sent = sentIn(answer);
  const isOf = (claims: unknown): boolean =>
    isObject(claims) &&
    isObject(sent) &&
    Object.entries(claims).every(([name, value]) => canonical(memberOf(sent, name)) === canonical(value));
  const [actor] = Object.entries(actors).find(([, given]) => isOf(given?.sso) || isOf(given?.login)) ?? [];
  return actor ?? answer.request.body;
}

/** Whether these are the claims with which an actor of the target file signs in. */
export const areClaimsOf = (actors: Actors, claims: unknown): boolean =>
  Object.values(actors).some((actor) => actor?.sso !== undefined && canonical(actor.sso) === canonical(claims));
