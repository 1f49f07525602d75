/** What the operations see of HTTP: a call comes in, a reply or a refusal goes out. */
import type { IncomingMessage } from 'node:http';
import type { Hooks } from './hooks.ts';
import type { OperationId } from './server.ts';
import type { Store } from './store.ts';
import type { Statuses, Style } from './style.ts';
import type { Tokens } from './tokens.ts';

export type JsonObject = Record<string, unknown>;

export interface App {
  style: Style;
  store: Store;
  tokens: Tokens;
  hooks: readonly Hooks[];
  /** Requests with bad tokens so far. */
  badTokens: number;
  /** The names of PATs so far, each after the id of its user. */
  patNames: Set<string>;
  /** Requests so far; makes lists come in another order. */
  count: number;
  /** Lists of API keys so far. */
  listCount: number;
}

export interface Call {
  app: App;
  op: OperationId;
  /** The path parameter, decoded; empty where the operation has none. */
  param: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  text: string;
}

/** An operation as the file that implements it offers it. */
export interface Operation {
  method: string;
  /** With `{id}` for a parameter. */
  path: string | ((style: Style) => string);
  run(call: Call): Reply;
}

export interface Reply {
  status: number;
  /** Sent as JSON; undefined: no body. */
  body?: unknown;
  /** Sent instead of `body`, as it is. */
  raw?: string;
  contentType?: string;
}

/** Refuses a call. */
export class Refusal extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

export function refuse(app: App, why: keyof Statuses, message: string): Refusal {
  return new Refusal(app.style.statuses[why], message);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON object in the body of a call, whose media type has to be JSON. */
export function readJson(call: Call): JsonObject {
  const mediaType = (call.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (!/^application\/([\w.-]+\+)?json$/.test(mediaType)) throw refuse(call.app, 'mediaType', 'send application/json');
  const value = parseJson(call.text);
  if (value === undefined) throw refuse(call.app, 'malformed', 'the body is not JSON');
  if (!isObject(value)) throw refuse(call.app, 'validation', 'the body must be a JSON object');
  return value;
}

/** The value of a JSON text; undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Another order at each call, where the style demands it. */
export function reorder<T>(app: App, list: readonly T[]): T[] {
  if (!app.style.reordersLists || list.length === 0) return [...list];
  const shift = app.count % list.length;
  const turned = [...list.slice(shift), ...list.slice(0, shift)];
  return app.count % 2 === 0 ? turned : turned.reverse();
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** JSON as the style formats it. */
export function writeJson(value: unknown, style: Style): string {
  const spell = (name: string, one: unknown): unknown =>
    style.shoutsIds && /^(.+_)?id$/.test(name) && typeof one === 'string' && UUID.test(one) ? one.toUpperCase() : one;
  if (style.jsonText === 'compact') return JSON.stringify(value, spell);
  return `${JSON.stringify(value, spell, 3).replace(
    /[\u0080-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )}\n`;
}

/** The body of a refusal in the style's shape; undefined: no body. */
export function errorBody(refusal: Refusal, style: Style): unknown {
  const { status, message } = refusal;
  switch (style.errorShape) {
    case 'detail':
      return { detail: message };
    case 'problem':
      return { type: 'about:blank', title: 'Request refused', status, detail: message };
    case 'object':
      return { error: { code: `E${status}`, message, request: 'r-1' } };
    case 'list':
      return { errors: [{ status: String(status), title: message }] };
    case 'none':
      return undefined;
  }
}
