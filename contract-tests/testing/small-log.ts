/** Logs in a line, for the tables of rules. */
import { createHash } from 'node:crypto';
import { parse } from 'yaml';
import { apiKeysPath, OPERATIONS, recordingPath } from '../api/operations.ts';
import { GARBAGE_TOKENS } from '../api/token-forms.ts';
import type { Log } from '../log/entry.ts';
import { LogBuilder } from '../log/log.ts';
import type { Answer } from '../values/answer.ts';
import { isObject, type JsonObject, objectOf } from '../values/json.ts';
import { answerOf, encode } from './fixtures.ts';

const BASE = 'https://host.test';
const SCOPES_PATH = '/v1/scopes';
const START = Date.parse('2026-03-01T10:00:00Z');
const { sso, login, pat } = OPERATIONS;
const PATHS = { sso: sso.path, login: login.path, pat: pat.path, refresh: '/v1/auth/refresh', scopes: SCOPES_PATH };

const claimsOf = (name: string) => ({ oid: `oid-${name}`, tid: 'tid', upn: `${name}@example.test` });
/** Member logs in by a number, which does not say who that is. */
const loginOf = (name: string) => ({
  user: name === 'member' ? 'no-7' : `${name}@example.test`,
  password: `pw-${name}`,
});
const ACTORS = Object.fromEntries(
  ['admin', 'member'].map((name) => [name, { sso: claimsOf(name), login: loginOf(name) }]),
);

/** What the target file says of the values that a service may look up. */
const RESOURCES = { recordingId: 'r1', tenantId: 't1', kbFolderId: 'f', kbDocumentId: 'd', analysis: { a: 1 } };

/** The API keys of the tenant, by what lines call them. */
const KEYS: Readonly<Record<string, JsonObject>> = Object.fromEntries(
  ['openai active', 'openai revoked', 'azure active', 'azure revoked'].map((kind, at) => {
    const [provider, status] = kind.split(' ');
    const id = `k${at + 1}`;
    return [id, { id, provider, name: `Key ${id}`, status, created_at: `2026-01-0${at + 1}T00:00:00Z` }];
  }),
);

const RECORDING: JsonObject = {
  title: 'Before',
  filename: 'a.wav',
  status: 'completed',
  method: 'upload',
  quality: 'high',
  language: 'en',
  diarization_enabled: true,
  user_id: 'u-admin',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
};

/**
 * `& +5s admin.pat patch r2 {title: A} -> 200 x-total=7 {title: B} ! title`: overlapping the exchange before it, or seconds after
 * it; who sends; what; to which resource; the query or the body; status, headers and body of the answer, as far as it is not that
 * of a server that conforms; the parts that may be refused.
 */
const STEP =
  /^(?<joins>& )?(?:\+(?<later>\d+)s )?(?<who>[\w-]+)(?:\.(?<kind>pat|login|refreshed))? (?<what>sso|login|pat|refresh|patch|keys|scopes)(?: (?<id>\w+))?(?: \?(?<query>\S*))?(?: (?<sent>\{.*?\}))?(?: -> (?<answer>.*?))?(?: ! (?<odd>.*))?$/;
/** The members of an answer replace those of a server that conforms; after `=` they are all of it. */
const ANSWER = /^(?<status>\d{3})?(?<headers>(?: ?[\w-]+=\S+)*) ?(?<isWhole>=)?(?<body>.*)$/;

/** Builds the log of a line: exchanges separated by `;`. A line that starts with `recorded:` is traffic of others. */
export function smallLog(line: string): Log {
  const isPartial = line.startsWith('recorded:');
  const server = new SmallServer(isPartial);
  for (const step of line.replace(/^recorded:/, '').split(';')) server.step(step.trim());
  return server.builder.log;
}

/** A server that conforms, and what a line says of it otherwise. */
class SmallServer {
  readonly builder: LogBuilder;
  readonly #records = new Map<string, JsonObject>();
  readonly #tokens = new Map<string, string>();
  #count = 0;
  #tick = 0;
  #now = START;

  constructor(private readonly isPartial: boolean) {
    const known = { scopesPaths: [SCOPES_PATH], baseUrl: BASE, actors: ACTORS, resources: RESOURCES };
    this.builder = new LogBuilder({ ...known, isPartial });
  }

  step(text: string): void {
    const parts = STEP.exec(text)?.groups ?? {};
    const { joins, later, kind, id, query, sent, odd } = parts;
    const { who = '', what = '', answer = '' } = parts;
    const { status, headers, isWhole, body } = ANSWER.exec(answer)?.groups ?? {};
    if (what === '') throw new Error(`not a step: ${text}`);
    const isOpen = ['sso', 'login', 'refresh'].includes(what) && kind === undefined;
    const token = isOpen ? undefined : this.#tokenOf(who, kind);
    if (later) this.#now += Number(later) * 1000;
    const json = this.#sentTo(what, who, sent ? (parse(sent) as JsonObject) : undefined);
    const own = { patch: recordingPath(id ?? 'r1'), keys: apiKeysPath(id ?? 't1') };
    const path = { ...PATHS, ...own }[what];
    const code = Number(status ?? 200);
    const answered = body ? (parse(body) as unknown) : undefined;
    const usual = code < 300 ? this.#answerTo(what, who, { id, query, json, answered }) : { error: 'refused' };
    const begin = joins ? this.#tick - 0.5 : this.#tick + 1;
    this.#tick = begin + 1;
    this.#now += 100;
    const request: Partial<Answer['request']> = {
      method: json ? (what === 'patch' ? 'PATCH' : 'POST') : 'GET',
      url: `${BASE}${path}${query ? `?${query}` : ''}`,
      headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
      ...(json ? { body: JSON.stringify(json) } : {}),
    };
    const shown = isWhole || typeof answered === 'string' ? answered : usual;
    const answering = { status: code, headers: { 'content-type': 'application/json', ...pairsOf(headers) }, request };
    const times = { begin, end: this.#tick, startedAt: this.#now - 50, endedAt: this.#now, date: this.#now };
    const whole = { hasRequestBody: true, hasBody: true, hasCookies: false };
    const asked = this.isPartial ? undefined : { for: 'a table', odd: odd ? odd.split(' ') : [] };
    this.builder.add({ answer: answerOf(shown, answering), ...times, ...whole }, asked);
    if (code < 300) this.#keep(what, who, usual);
  }

  /** The bearer token of a caller, signed in where it is not. */
  #tokenOf(who: string, kind = 'sso'): string | undefined {
    if (who === 'garbage') return GARBAGE_TOKENS[0];
    const name = `${who} ${kind}`;
    const asks = { sso: 'sso', login: 'login', pat: 'pat', refreshed: 'refresh' }[kind];
    if (!this.#tokens.has(name)) this.step(`${who} ${asks}`);
    return this.#tokens.get(name);
  }

  #sentTo(what: string, who: string, sent: JsonObject | undefined): JsonObject | undefined {
    if (what === 'sso') return sent ?? claimsOf(who);
    if (what === 'login') return sent ?? loginOf(who);
    if (what === 'pat') return { name: 'a PAT' };
    if (what === 'refresh') {
      this.#tokenOf(who);
      return { refresh_token: this.#tokens.get(`${who} refresh`) };
    }
    return what === 'patch' ? (sent ?? { summary: 'A summary of what was said.' }) : undefined;
  }

  #answerTo(
    what: string,
    who: string,
    { id = '', query = '', json = {}, answered }: { id?: string; query?: string; json?: JsonObject; answered: unknown },
  ): unknown {
    const changes = objectOf(answered);
    this.#count += 1;
    if (what === 'keys')
      return Array.isArray(answered)
        ? answered.map((key) => (typeof key === 'string' ? KEYS[key] : { ...KEYS[key.id], ...key }))
        : id !== ''
          ? []
          : Object.values(KEYS).filter((key) =>
              [...new URLSearchParams(query)].every(([name, is]) => key[name] === is),
            );
    if (what === 'scopes') return { scopes: ['keys:list'], is_admin: who.startsWith('admin'), ...changes };
    if (what === 'pat') return { token: `pm_${this.#count}.secret${this.#count}`, ...changes };
    if (what === 'patch') return { ...this.#write(id || 'r1', json), ...changes };
    const expiresIn = Number(changes.expires_in ?? 3600);
    const iat = Math.floor(this.#now / 1000);
    const signature = createHash('sha256').update(`${this.#count}`).digest('base64url');
    const jwt = `${encode({ alg: 'HS256' })}.${encode({ sub: who, n: this.#count, iat, exp: iat + expiresIn })}.${signature}`;
    if (what !== 'sso') return { access_token: jwt, ...changes };
    const mail = { email: `${who}@example.test`, username: who, confirmed: true };
    const user = { id: `u-${who}`, ...mail, created_at: '2026-01-01T00:00:00Z' };
    const grant = { access_token: jwt, refresh_token: `refresh-${this.#count}`, token_type: 'bearer' };
    const given = isObject(changes.user) ? { ...user, ...changes.user } : (changes.user ?? user);
    return { ...grant, expires_in: expiresIn, ...changes, user: given };
  }

  /** What an update makes of a recording. */
  #write(id: string, sent: JsonObject): JsonObject {
    const record = this.#records.get(id) ?? { id, ...RECORDING };
    const updated = { ...record, ...(typeof sent.title === 'string' ? { title: sent.title } : {}) };
    this.#records.set(id, updated);
    return updated;
  }

  #keep(what: string, who: string, answer: unknown): void {
    const { access_token: access, refresh_token: refresh, token } = objectOf(answer);
    const kind = what === 'refresh' ? 'refreshed' : what;
    const kept = what === 'pat' ? token : access;
    if (typeof kept === 'string') this.#tokens.set(`${who} ${kind}`, kept);
    if (what === 'sso' && typeof refresh === 'string') this.#tokens.set(`${who} refresh`, refresh);
  }
}

const pairsOf = (text = ''): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/([\w-]+)=(\S+)/g)].map(([, name, value]) => [name, value]));
