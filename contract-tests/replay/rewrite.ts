import { type ActorCredentials, namedActors } from '../api/named-actors.ts';
import { isMethod, isSignIn, resourceOf } from '../api/operations.ts';
import { partsOfPat } from '../api/token-forms.ts';
import { CannotAsk } from '../errors.ts';
import type { SourceActor } from '../har/source.ts';
import type { Actor } from '../model.ts';
import type { Session } from '../session/session.ts';
import { isSuccess, sentIn } from '../values/answer.ts';
import { cookieHeader, cookiesIn } from '../values/cookies.ts';
import { asText, isEqual, mapJson, memberOf, objectOf } from '../values/json.ts';
import { decoded } from '../values/url.ts';
import type { ClientRequest } from '../wire/exchange.ts';
import { looksLike, type Mapping, unlike } from './mapping.ts';
import type { Interaction, Recording } from './recording.ts';
import { changedLike, type Issued, isOverAt, type Tokens } from './tokens.ts';

/** Headers of a browser, of a session elsewhere, or for the mock alone. */
const NOT_SENT = /^(authorization|content-type|cookie|origin|referer|if-.*|transfer-encoding|x-mock-.*|prefer)$/i;
/** What makes the mock give an answer that it would not give by itself. */
const FORCED = ['prefer', 'x-mock-fault'];

/** Makes of a recorded request that for the target: other people, ids and tokens, all else as it was. Throws CannotAsk. */
export class Rewriting {
  /** Actors of the recording, and those of the target file in their place. */
  readonly #counterparts = new Map<string, Actor>();
  /** The numbers of interactions that were not sent. */
  readonly unsent = new Set<number>();

  constructor(
    private readonly session: Session,
    private readonly source: Recording['source'],
    private readonly mapping: Mapping,
    private readonly tokens: Tokens,
    private readonly isMock: boolean,
  ) {
    const { actors, resources = {} } = session.target;
    const there = Object.entries(namedActors(actors)).filter((each): each is [string, ActorCredentials] => !!each[1]);
    for (const [name, own] of Object.entries(source.actors)) {
      const isTaken = (other: string): boolean => [...this.#counterparts.values()].includes(other as Actor);
      const found = there.find(([other, { role = 'admin' }]) =>
        name.startsWith('others') ? other.startsWith('others') && !isTaken(other) && role === own.role : other === name,
      );
      if (!found) continue;
      this.#counterparts.set(name, found[0] as Actor);
      this.#bindActor(own, found[1]);
    }
    const { analysis: _, ...ids } = resources;
    this.mapping.bindAll(source.resources, ids);
  }

  #bindActor(own: SourceActor, { sso, login, tenantId = this.session.target.resources?.tenantId }: ActorCredentials) {
    this.mapping.bindAll(own.sso, sso);
    this.mapping.bindAll(own.login, login);
    this.mapping.bind('tenantId', own.tenantId, tenantId);
  }

  /** The actor of the target file in the place of one of the recording. */
  counterpartOf(name: string): Actor {
    const found = this.#counterparts.get(name);
    if (found) return found;
    throw new CannotAsk(`the target file has no counterpart of actors.${name}, who sent it`);
  }

  /** The target's counterparts of the cookies that earlier answers of the recording have set. */
  #cookieOf(headers: Record<string, string>): string {
    const [, recorded] = Object.entries(headers).find(([name]) => /^cookie$/i.test(name)) ?? [];
    const sent = [...cookiesIn(recorded?.split(';') ?? [])];
    return cookieHeader(
      sent.flatMap(([name, value]) => {
        const own = this.mapping.of(`cookie ${name}`, value);
        return own === undefined ? [] : [[name, asText(own)] as const];
      }),
    );
  }

  async requestOf(interaction: Interaction): Promise<ClientRequest> {
    const { recorded, actor, hasRequestBody, asked } = interaction;
    const { method, headers, body } = recorded.request;
    if (!isMethod(method)) throw new CannotAsk(`requests of the method ${method} are not sent`);
    if (!hasRequestBody) throw new CannotAsk('the recording does not hold its body');
    if (FORCED.some((name) => memberOf(headers, name) !== undefined))
      throw new CannotAsk('it asks the mock for this answer');
    if (actor !== undefined) this.counterpartOf(actor);
    const sent = body === undefined ? undefined : this.#bodyOf(interaction, body);
    const kept = Object.entries(headers).filter(([name]) => !NOT_SENT.test(name));
    const isChunked = Object.keys(headers).some((name) => /^transfer-encoding$/i.test(name));
    const authorization = await this.#authorizationOf(interaction);
    const cookie = this.#cookieOf(headers);
    return {
      method,
      path: this.#pathOf(interaction),
      accept: headers.Accept ?? '',
      headers: {
        ...Object.fromEntries(kept),
        ...(authorization !== undefined && { Authorization: authorization }),
        ...(cookie !== '' && { Cookie: cookie }),
      },
      ...(isChunked && { isChunked }),
      ...(asked?.isSegmented && { isSegmented: true }),
      // The guard looks at the claims of sign-ins; what is sent is the text.
      ...(isSignIn(interaction.operation) && { json: sent?.json }),
      ...(sent && { raw: { text: sent.text, contentType: headers['Content-Type'] ?? '' } }),
    };
  }

  /** The recorded text, unless a value in it has a counterpart. */
  #bodyOf(interaction: Interaction, text: string): { text: string; json: unknown } {
    const { recorded, operation, actor } = interaction;
    const json = sentIn(recorded);
    if (json === undefined) return { text, json };
    const { kbFolderId, kbDocumentId } = this.session.target.resources ?? {};
    const places = isSuccess(recorded) ? { kb_folder_id: kbFolderId, kb_document_id: kbDocumentId } : {};
    const changed =
      isSignIn(operation) && actor !== undefined
        ? this.#signInOf(this.counterpartOf(actor), operation)
        : mapJson(json, (value, path) => {
            const name = path.findLast((each) => !/^\d+$/.test(each)) ?? '';
            if (typeof value === 'string' && this.tokens.get(value)) return this.#counterpartIn(value);
            return (typeof value === 'string' && memberOf(places, name)) || (this.mapping.of(name, value) ?? value);
          });
    return isEqual(changed, json) ? { text, json } : { text: JSON.stringify(changed), json: changed };
  }

  #signInOf(actor: Actor, way: 'sso' | 'login'): unknown {
    const given = this.session.credentials(actor)[way];
    if (!given) throw new CannotAsk(`the target file has no actors.${actor}.${way}`);
    return given;
  }

  #pathOf(interaction: Interaction): string {
    const [path = '', query] = interaction.path.split(/\?(.*)/s);
    const segments = path.split('/').map((segment) => {
      const id = decoded(segment);
      const other = id === interaction.resource ? this.#resourceOf(interaction, id) : this.mapping.of('', id);
      return other === undefined || other === id ? segment : encodeURIComponent(other);
    });
    if (query === undefined) return segments.join('/');
    const pairs = [...new URLSearchParams(query)];
    const mapped = pairs.map(([name, value]) => [name, asText(this.mapping.of(name, value) ?? value)]);
    return `${segments.join('/')}?${isEqual(pairs, mapped) ? query : new URLSearchParams(mapped)}`;
  }

  /** The counterpart of a recording or tenant; of an unknown one that was made to look like a known one, another unknown one. */
  #resourceOf({ operation, recorded }: Interaction, id: string): string | undefined {
    const field = Object.keys(this.source.resources).find((name) => memberOf(this.source.resources, name) === id);
    const known = this.mapping.of(field ?? '', id);
    if (known !== undefined) return asText(known);
    if (field !== undefined) throw new CannotAsk(`the target file has no resources.${field}`);
    const own = operation && resourceOf(operation)?.own;
    const [there, here] = [
      own && memberOf(this.source.resources, own),
      own && memberOf({ ...this.session.target.resources }, own),
    ];
    if (!isSuccess(recorded))
      return typeof there === 'string' && looksLike(id, there) ? unlike(asText(here ?? there)) : undefined;
    if (this.isMock) return undefined;
    throw new CannotAsk(`the target file names no counterpart of ${id}`);
  }

  async #authorizationOf(interaction: Interaction): Promise<string | undefined> {
    const header = interaction.recorded.request.headers.Authorization;
    const [, scheme = '', token = ''] = /^(\s*bearer\s+)(\S.*)$/is.exec(header ?? '') ?? [];
    return token === '' ? header : scheme + (await this.#tokenFor(token, interaction));
  }

  async #tokenFor(token: string, interaction: Interaction): Promise<string> {
    if (this.tokens.get(token)) return this.#tokenIssuedAs(token);
    const original = this.tokens.originalOf(token);
    if (original !== undefined) return changedLike(token, original, await this.#tokenIssuedAs(original));
    const { actor, startedAt, recorded } = interaction;
    if (isOverAt(token, startedAt)) return this.#expired(actor === undefined ? 'admin' : this.counterpartOf(actor));
    // Neither of both, and refused: a made-up token is sent as it is.
    const isOdd = !partsOfPat(token) && token.split('.').length < 3 && recorded.response.status === 401;
    if (actor === undefined || isOdd) return token;
    const counterpart = this.counterpartOf(actor);
    const { pat } = this.session.credentials(counterpart);
    return partsOfPat(token) && pat !== undefined ? pat : this.session.signIn.bearer(counterpart);
  }

  #expired(actor: Actor): string {
    const { expiredToken } = this.session.credentials(actor);
    if (expiredToken === undefined) throw new CannotAsk(`the target file has no actors.${actor}.expiredToken`);
    return expiredToken;
  }

  /** What the target handed out instead; where it refused the sign-in, a token that the target file leads to. */
  async #tokenIssuedAs(token: string): Promise<string> {
    const { by = 0, actor, actual } = this.tokens.get(token) ?? {};
    if (actual !== undefined) return actual;
    if (!this.unsent.has(by) && actor !== undefined) return this.session.signIn.bearer(this.counterpartOf(actor));
    return this.#counterpartIn(token);
  }

  #counterpartIn(token: string): string {
    const { by = 0, actual } = this.tokens.get(token) ?? {};
    if (actual !== undefined) return actual;
    const why = this.unsent.has(by) ? 'which was not sent' : 'where the target handed out none';
    throw new CannotAsk(`its token comes from entry ${by}, ${why}`);
  }

  /** Whose token, such as one that is exchanged, a request sends in its body; undefined where it sends none. */
  sentTokenOf({ recorded }: Interaction): Issued | undefined {
    const sent = Object.values(objectOf(sentIn(recorded)));
    return sent.map((value) => this.tokens.get(asText(value))).find((issued) => issued !== undefined);
  }
}
