import { acceptedBy } from '../../../contract-tests/values/accept.ts';
import { asText } from '../../../contract-tests/values/json.ts';
import { fromBase64url, toBase64url, utf8, utf8Text } from '../crypto.ts';
import { decodeJwt, signedJwt } from '../jwt.ts';
import { headerOf } from '../message.ts';
import { bearerToken } from '../operations/tokens.ts';
import { isObject, type JsonObject } from '../spec/document.ts';
import {
  callsOf,
  delivery,
  everyNth,
  inBody,
  inGrant,
  inKeyList,
  inMember,
  inRecording,
  intercepting,
  moved,
  presenting,
  receiving,
  writing,
} from './change.ts';
import { ending, refusingUses } from './credentials.ts';
import { each, family, type Hooks } from './fault.ts';
import { refusing } from './request-handling.ts';

/** Maps every value in a JSON value, innermost first; `name` is the member that holds it. */
const mapJson = (value: unknown, change: (value: unknown, name: string) => unknown): unknown =>
  value === undefined ? undefined : JSON.parse(JSON.stringify(value), (name, each) => change(each, name));

const mappingJson = (change: (value: unknown, name: string) => unknown): Hooks =>
  presenting(({ body }) => ({ body: mapJson(body, change) }));

const isTime = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value) && !Number.isNaN(Date.parse(value));

/** Hooks that write every date-time in another form of ISO 8601. */
const timesAs = (form: (time: number) => string): Hooks =>
  mappingJson((value, name) => (name.endsWith('_at') && isTime(value) ? form(Date.parse(value)) : value));

/** A time in ISO 8601, so many minutes from UTC, without offset and fraction of a second. */
const localTime = (time: number, minutes: number): string =>
  new Date(time + minutes * 60_000).toISOString().slice(0, 19);

interface IdForm {
  readonly write: (id: string) => string;
  /** `undefined` if `text` is not in this format. */
  readonly read: (text: string) => string | undefined;
}

export const opaque: IdForm = {
  write: (id) => toBase64url(`~${id}`),
  read: (text) => {
    const read = fromBase64url(text);
    return read?.startsWith('~') ? read.slice(1) : undefined;
  },
};

/** Ids that are digits, too long for a JavaScript number. */
export const numeric: IdForm = {
  write: (id) => `9${[...utf8(id)].map((byte) => String(byte).padStart(3, '0')).join('')}`,
  read: (text) => {
    const bytes = /^9((\d{3})+)$/.exec(text)?.[1]?.match(/\d{3}/g)?.map(Number);
    return bytes?.every((byte) => byte < 256) ? utf8Text(Uint8Array.from(bytes)) : undefined;
  },
};

const idInPath = /^(\/v1\/(?:echo\/recordings|admin\/tenants)\/)([^/?]+)/;

/** Hooks that use another format of ids, in responses and in paths. */
const idsAs = ({ write, read }: IdForm): Hooks => ({
  ...receiving(({ url }) => ({
    url: url.replace(idInPath, (_all, start, id) => `${asText(start)}${read(decodeURIComponent(id)) ?? 'unknown'}`),
  })),
  ...mappingJson((value, name) => (/^(user_)?id$/.test(name) ? write(asText(value)) : value)),
});

const undocumented = { etag: 'W/"3"', tags: ['a', 'b'], note: null, _links: { self: '/somewhere' }, revision: 7 };

export const basePath = '/platform/api';

const withHeaders = (more: Readonly<Record<string, string>>): Hooks =>
  writing(({ headers }) => ({ headers: { ...headers, ...more } }));

const serialized = (write: (body: unknown) => string): Hooks =>
  writing(({ text }) => (text === '' ? {} : { text: write(JSON.parse(text)) }));

/** JSON in ASCII, with slashes escaped. */
const escaped = (body: unknown): string =>
  JSON.stringify(body)
    .replaceAll(/[^\x20-\x7e]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('/', '\\/');

const refusals = (change: (status: number) => { status?: number; text?: string; headers?: Record<string, string> }) =>
  writing((sent) => {
    if (sent.status < 400) return undefined;
    const { headers, ...changes } = change(sent.status);
    return { ...changes, headers: { ...sent.headers, ...headers } };
  });

/** Hooks that refuse every 90th request with a Retry-After. */
const limited = (retryAfter: () => string, status = 429): Hooks => ({
  ...intercepting(() =>
    delivery(status, '{"message":"slow down"}', 'application/json', { 'Retry-After': retryAfter() }),
  ),
  cadence: everyNth(90),
});

const clockAhead = (minutes: number): Hooks =>
  receiving((arrival, { world, isDue, remember }) => {
    const set = remember(() => ({ done: false }));
    if (set.done || !isDue()) return undefined;
    set.done = true;
    world.clock.advance(minutes * 60_000);
    return arrival;
  });

/** Hooks that re-sign the access tokens of the SSO login with other claims and headers. */
const tokensWith = (claims: (old: JsonObject) => object, header: object = {}): Hooks =>
  inMember(
    inGrant,
    'access_token',
  )((token, { world }) =>
    signedJwt({ alg: 'HS256', typ: 'JWT', ...header }, claims(decodeJwt(token)?.claims ?? {}), world.signingKey),
  );

const sorted = (value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value;

const titlesTo = (most: number): Hooks =>
  refusing('updateRecording')(({ title }) => typeof title === 'string' && title.length > most);

/** Other conforming implementations: they violate no requirement, so no check may fail. */
export const variations = family('variation', {
  'base-path: The API is served under /platform/api.': moved('/', `${basePath}/`),
  ...each(writing, {
    'slow: Every response takes 10 ms longer.': () => ({ delayMs: 10 }),
    'chunked: Responses are sent in chunks of 7 characters, without Content-Length.': () => ({
      pieces: { size: 7, everyMs: 0 },
    }),
    'success-202: Successes have the status 202.': ({ status }) => ({ status: status < 300 ? 202 : status }),
  }),
  ...each(withHeaders, {
    'connection-close: The connection is closed after each response.': { Connection: 'close' },
    'extra-headers: Responses have a cookie, an ETag and other headers.': {
      'Set-Cookie': 'session=1; HttpOnly',
      ETag: '"1"',
      Vary: 'Accept, Authorization',
      'Cache-Control': 'no-store',
      'X-Request-Id': 'a:1',
      'Strict-Transport-Security': 'max-age=1',
    },
    'media-type-parameters: The media type has parameters: application/json;charset=UTF-8; profile="x".': {
      'Content-Type': 'application/json;charset=UTF-8; profile="x"',
    },
    'media-type-bare: The media type is Application/JSON, without charset.': { 'Content-Type': 'Application/JSON' },
    'media-type-vendor: The media type is application/vnd.platform.v1+json.': {
      'Content-Type': 'application/vnd.platform.v1+json',
    },
  }),
  'limited: Every 90th request gets 429 with Retry-After in seconds.': limited(() => '1'),
  'limited-until: Every 90th request gets 429 with Retry-After as a date.': limited(() =>
    new Date(Date.now() + 1000).toUTCString(),
  ),
  'busy: Every 90th request gets 503 with Retry-After.': limited(() => '0', 503),
  ...each(serialized, {
    'json-pretty: JSON is indented, with a newline before and after it.': (body) =>
      `\n${JSON.stringify(body, null, '\t')}\n`,
    'json-escaped: JSON escapes non-ASCII characters and slashes.': escaped,
  }),
  ...each(refusals, {
    'errors-empty: Refusals have no body.': () => ({ text: '' }),
    'errors-pages: Refusals are HTML pages.': (status) => ({
      text: `<h1>${status}</h1>`,
      headers: { 'Content-Type': 'text/html' },
    }),
    'refusals-404: All refusals have the status 404.': () => ({ status: 404 }),
    'refusals-redirect: Requests with invalid credentials are redirected to a sign-in page.': (status) =>
      status === 401 ? { status: 302, headers: { Location: 'https://login.example.test/' } } : {},
  }),
  'refusals-by-accept: Clients that do not name JSON in Accept are redirected where credentials or content are refused, and get pages.':
    writing(({ status, headers }, { arrival }) => {
      if (status < 400 || acceptedBy(headerOf(arrival.headers, 'accept')) === 'json') return undefined;
      const isBack = [400, 401, 422].includes(status);
      const own = { ...headers, Location: '/login', 'Content-Type': 'text/html' };
      return { status: isBack ? 302 : status, text: `<h1>${status}</h1>`, headers: own };
    }),
  ...each((isRefused: Parameters<typeof refusingUses>[0]): Hooks => ({ ...refusingUses(isRefused), observes: false }), {
    'tokens-known-late: A token is refused at its first use, and accepted a moment later.': ({ use }) => use === 1,
    'tokens-known-after-2-s: An access token is refused until 2 s after the second in which it was issued.': ({
      issuedMs,
    }) => issuedMs < 2000,
    'sessions-lost-once: A restart forgets all access tokens, once.': ({ via, first, at }) =>
      via === 'jwt' && first < 12 && at >= 12,
  }),
  ...each(mappingJson, {
    'extra-fields: Every object has undocumented fields.': (value) =>
      isObject(value) ? { ...undocumented, ...value } : value,
    'members-reversed: The members of objects are in reverse order.': (value) =>
      isObject(value) ? Object.fromEntries(Object.entries(value).reverse()) : value,
    'lists-reversed: Lists are in reverse order.': (value) => (Array.isArray(value) ? value.toReversed() : value),
  }),
  'lists-rotating: The list of API keys is in a different order each time.': inKeyList((keys, context) => {
    const at = callsOf(context) % Math.max(1, keys.length);
    return [...keys.slice(at), ...keys.slice(0, at)];
  }),
  ...each(timesAs, {
    'times-offset-micros: Times have the offset +02:00 and microseconds.': (time) =>
      `${localTime(time, 120)}.${String(time % 1000).padStart(3, '0')}456+02:00`,
    'times-west-seconds: Times have the offset -05:30 and whole seconds.': (time) => `${localTime(time, -330)}-05:30`,
    'times-local: Times have no offset.': (time) => localTime(time, 0),
  }),
  'ids-opaque: Ids are opaque, with capital letters, - and _.': idsAs(opaque),
  'ids-numeric: Ids are very long digit strings.': idsAs(numeric),
  ...each(inKeyList, {
    'empty-tenant: The tenant has no API keys.': () => [],
    'one-key: The tenant has one API key.': (keys) => keys.filter(({ id }) => id === 'key_a1'),
  }),
  ...each(clockAhead, {
    "clock-ahead: The service's clock is ten minutes ahead.": 10,
    "clock-behind: The service's clock is ten minutes behind.": -10,
  }),
  'jwt-without-start: Access tokens have no iat.': tokensWith(({ sub, exp }) => ({ sub, exp })),
  'jwt-rich: Access tokens have a key id and more claims.': tokensWith(
    (old) => ({ ...old, iss: 'https://login.example.test', aud: ['api'], nbf: old.iat, roles: ['admin'], name: 'Añ' }),
    { kid: '2026-1' },
  ),
  'jwt-ended-by-pat: Creating a PAT ends the JWT that it was created with.': ending(
    'createApiToken',
    (_pat, { arrival }) => bearerToken(String(arrival.headers.authorization)),
  ),
  'updated-at-stays: updated_at does not change with updates.': inRecording(({ created_at }) => ({
    updated_at: created_at,
  })),
  'in-processing: The recording is still being processed; its status advances.': inRecording((_, context) => {
    const updates = callsOf(context);
    return { status: updates < 15 ? 'pending' : updates < 30 ? 'processing' : 'completed' };
  }),
  'written-shown: A recording shows what was written to it, as a relational database keeps it.': inRecording(
    ({ id }, { world }) => {
      const { summary, kb_folder_id, kb_document_id, analysis } = world.store.recordings.get(asText(id)) ?? {};
      return {
        summary: summary || null,
        kb_folder_id: kb_folder_id || null,
        kb_document_id: kb_document_id || null,
        analysis: mapJson(analysis ?? null, sorted),
      };
    },
  ),
  ...each(titlesTo, {
    'titles-short: Titles of more than 50 characters are refused.': 50,
    'titles-to-120: Titles of more than 120 characters are refused.': 120,
    'titles-to-255: Titles of more than 255 characters are refused.': 255,
  }),
  ...each(refusing('updateRecording'), {
    'titles-plain: Titles with characters other than letters, digits and single spaces are refused.': ({ title }) =>
      typeof title === 'string' && !/^[A-Za-z0-9]+( [A-Za-z0-9]+)*$/.test(title),
    'summaries-short: Summaries of more than 200 characters are refused.': ({ summary }) =>
      typeof summary === 'string' && summary.length > 200,
    'analysis-of-its-own: An analysis without a version is refused.': ({ analysis }) =>
      isObject(analysis) && !('version' in analysis),
  }),
  'login-of-its-own: The password login has another response shape.': inBody('login')(({ access_token, ...rest }) => ({
    data: { jwt: access_token, ...rest },
  })),
  'pat-of-its-own: The creation of a PAT has another response shape.': inBody('createApiToken')(
    ({ token, ...rest }) => ({ data: { ...rest, plainTextToken: token } }),
  ),
  'scopes-of-their-own: The token scopes have a response shape of their own.': inBody('listTokenScopes')(
    ({ scopes, is_admin }) => ({
      data: {
        permissions: (scopes as string[]).map((key) => ({ key, label: key })),
        account: { role: is_admin ? 'administrator' : 'user' },
      },
    }),
  ),
});
