/** A black-box client for the tests of this folder; it knows the gap answers of a style, and no internals. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject, type JsonObject, parseJson } from './http.ts';
import type { SecondImplementation } from './server.ts';
import type { TargetActor } from './target.ts';

export interface Answer {
  status: number;
  ok: boolean;
  headers: Headers;
  text: string;
  /** The JSON value of the body; undefined when it is not JSON. */
  json: unknown;
}

export interface Ask {
  token?: string | undefined;
  body?: unknown;
  text?: string | undefined;
  headers?: Record<string, string> | undefined;
}

export interface Tokens {
  sso?: string;
  login?: string;
  pat?: string;
}

/** The requirement ids seen broken so far. */
export class Findings extends Set<string> {
  /** Adds the requirement unless the statement holds. */
  expect(holds: boolean, requirement: string): void {
    if (!holds) this.add(requirement);
  }
}

export class Client {
  readonly service: SecondImplementation;
  readonly findings: Findings;
  constructor(service: SecondImplementation, findings = new Findings()) {
    this.service = service;
    this.findings = findings;
  }

  async ask(method: string, path: string, { token, body, text, headers }: Ask = {}): Promise<Answer> {
    const { baseUrl, target } = this.service;
    const payload = text ?? (body === undefined ? undefined : JSON.stringify(body));
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        ...target.headers,
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(payload !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(payload !== undefined && { body: payload }),
    });
    const received = await response.text();
    if (response.status === 429) {
      await sleep(Number(response.headers.get('retry-after')) * 1000);
      return this.ask(method, path, { token, body, text, headers });
    }
    if (response.ok && path.startsWith('/v1')) {
      const type = (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
      const says = /^application\/(.+\+)?json$/.test(type);
      this.findings.expect(response.status === 204 || (says && parseJson(received) !== undefined), 'GEN-01');
    }
    const { status, ok } = response;
    return { status, ok, headers: response.headers, text: received, json: parseJson(received) };
  }

  sso(actor: TargetActor): Promise<Answer> {
    return this.ask('POST', '/v1/auth/sso', { body: actor.sso });
  }

  update(body: unknown, token: string | undefined, more: Ask = {}): Promise<Answer> {
    const id = encodeURIComponent(this.service.target.resources.recordingId);
    return this.ask('PATCH', `/v1/echo/recordings/${id}`, { body, token, ...more });
  }

  keys(token: string | undefined, query: Record<string, string> = {}, tenant?: string): Promise<Answer> {
    const id = encodeURIComponent(tenant ?? this.service.target.resources.tenantId);
    const search = new URLSearchParams(query).toString();
    const path = `/v1/admin/tenants/${id}/api-keys${search && `?${search}`}`;
    return this.ask('GET', path, { token });
  }

  scopes(token: string | undefined): Promise<Answer> {
    return this.ask('GET', this.service.style.scopesPath, { token });
  }

  /** Calls a protected operation in a way that succeeds with good credentials and changes nothing. */
  protectedCall(op: 'update' | 'keys' | 'scopes', token: string | undefined): Promise<Answer> {
    if (op === 'update') return this.update({ summary: 's' }, token);
    return op === 'keys' ? this.keys(token) : this.scopes(token);
  }

  createPat(token: string): Promise<Answer> {
    const name = 'contract';
    const scopes = ['recordings:write', 'keys:list'];
    const bodies = {
      'name-scopes': { name, scopes },
      name: { name },
      'label-days': { label: name, valid_for_days: 1 },
    };
    return this.ask('POST', '/v1/api-tokens', { token, body: bodies[this.service.style.patRequest] });
  }
}

/** All strings of a JSON value, at any depth, each with the name of its field. */
export function strings(value: unknown, name = ''): [name: string, text: string][] {
  if (typeof value === 'string') return [[name, value]];
  if (Array.isArray(value)) return value.flatMap((item) => strings(item, name));
  return isObject(value) ? Object.entries(value).flatMap(([key, inner]) => strings(inner, key)) : [];
}

/** The claims of a JWT; undefined when the text is not a JWT. */
export function claimsOf(text: unknown): JsonObject | undefined {
  if (typeof text !== 'string') return undefined;
  const parts = text.split('.');
  const [header, payload] = parts.map((part) => parseJson(Buffer.from(part, 'base64url').toString()));
  return parts.length === 3 && isObject(header) && isObject(payload) ? payload : undefined;
}

/** Whether a text is a JWT: one whose claims can be read, or an encrypted one of five parts. */
export function isJwt(text: string): boolean {
  const parts = text.split('.');
  const header = parseJson(Buffer.from(parts[0] ?? '', 'base64url').toString());
  return claimsOf(text) !== undefined || (parts.length === 5 && isObject(header) && typeof header.enc === 'string');
}

/** Whether a value is an RFC 3339 date-time. */
export function isDateTime(value: unknown): boolean {
  const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
  return typeof value === 'string' && form.test(value) && !Number.isNaN(Date.parse(value));
}
