import { isPatForm } from '../api/token-forms.ts';
import { findStrings, isObject, type JsonObject, parseJson } from '../values/json.ts';

/** What a client was written for: how the deployment wants what the document leaves open. */
export interface ClientKnowledge {
  refreshPath: string;
  refreshBody: (token: string) => JsonObject;
  scopesPath: string;
  patBody: (name: string) => JsonObject;
}

/** Whom the client signs in as. */
export interface SideActor {
  sso?: { oid: string; tid: string; upn: string } | undefined;
  login?: Record<string, string>;
}

/** One of the two servers that the client talks to. */
export interface SideTarget {
  baseUrl: string;
  actors: { admin: SideActor; member: SideActor };
  resources: { recordingId: string; tenantId: string; otherTenantId?: string };
}

/** What came back. */
export interface SideAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export interface Sent {
  /** Bearer token; `null` sends no Authorization header. */
  as?: string | null;
  json?: unknown;
  /** A body as it is, with its media type. */
  text?: [body: string, mediaType: string];
  headers?: Record<string, string>;
}

/** One server as the client knows it: signed in as both actors, with a personal access token of its own. */
export class Side {
  admin = '';
  member = '';
  pat = '';
  refreshToken = '';
  user: JsonObject = {};

  constructor(
    readonly target: SideTarget,
    readonly client: ClientKnowledge,
  ) {}

  async send(method: string, path: string, { as = null, json, text, headers = {} }: Sent = {}): Promise<SideAnswer> {
    const [body, mediaType] = text ?? (json === undefined ? [] : [JSON.stringify(json), 'application/json']);
    const response = await fetch(this.target.baseUrl + path, {
      method,
      headers: {
        ...(mediaType !== undefined && { 'Content-Type': mediaType }),
        ...(as !== null && { Authorization: `Bearer ${as}` }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
  }

  /** Signs in as both actors and makes a personal access token. */
  async prepare(): Promise<void> {
    const { admin, member } = this.target.actors;
    const grant = await this.#grant(admin);
    this.admin = String(grant.access_token);
    this.refreshToken = String(grant.refresh_token);
    this.user = isObject(grant.user) ? grant.user : {};
    this.member = String((await this.#grant(member)).access_token);
    const made = await this.send('POST', '/v1/api-tokens', { as: this.admin, json: this.client.patBody('likeness') });
    this.pat = findStrings(parseJson(made.body)).find(({ value }) => isPatForm(value))?.value ?? '';
  }

  async #grant({ sso }: SideActor): Promise<JsonObject> {
    const json = parseJson((await this.send('POST', '/v1/auth/sso', { json: sso })).body);
    return isObject(json) ? json : {};
  }

  /** A refresh token that nobody has used. */
  async freshRefreshToken(): Promise<string> {
    return String((await this.#grant(this.target.actors.admin)).refresh_token);
  }

  /** What the client sends to sign in with a password: the fields are the deployment's, the values this server's own. */
  login(fields: Readonly<Record<string, string>>): JsonObject {
    const password = Object.values(this.target.actors.admin.login ?? {}).at(-1) ?? '';
    return Object.fromEntries(
      Object.entries(fields).map(([name, value], at, all) => {
        if (at === all.length - 1) return [name, password];
        return [name, String(value.includes('@') ? this.user.email : this.user.username)];
      }),
    );
  }
}
