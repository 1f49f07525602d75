import { createHmac } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { refusal } from '../operations/api-error.ts';
import type { World } from '../world/world.ts';
import { family } from './fault.ts';
import type { Body, Hooks } from './hooks.ts';
import { idsAs, inZone, numeric, opaque, saying, timesAs, writing } from './rewriting.ts';
import { counter, delivery, perWorld, sentOf } from './tools.ts';

const isRecord = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const more = { etag: 'W/"3"', tags: ['a', 'b'], note: null, _links: { self: '/somewhere' }, revision: 7 };
const backwards = (value: unknown): unknown => (Array.isArray(value) ? value.toReversed() : value);

const rotating = (): Hooks => {
  const count = counter();
  return {
    bodies: {
      listTenantApiKeys: (keys, { world }) => {
        const list = keys as unknown as unknown[];
        const at = count(world) % Math.max(1, list.length);
        return [...list.slice(at), ...list.slice(0, at)];
      },
    },
  };
};

const typed = (type: string): Hooks => writing(({ headers }) => ({ headers: { ...headers, 'Content-Type': type } }));

const written = (write: (body: unknown) => string): Hooks =>
  writing(({ text }) => (text === '' ? {} : { text: write(JSON.parse(text)) }));

const escaped = (body: unknown): string =>
  JSON.stringify(body)
    .replaceAll(/[^\x20-\x7e]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('/', '\\/');

const refusals = (
  change: (status: number) => Partial<{ status: number; text: string; headers: Record<string, string> }>,
): Hooks => ({
  deliver: (sent) => {
    if (sent.status < 400) return undefined;
    const { headers, ...changes } = change(sent.status);
    return { ...sent, ...changes, headers: { ...sent.headers, ...headers } };
  },
});

/** The part of the path that stands before the API in the variation base-path. */
export const basePath = '/platform/api';

const limited = (n: number, headers: () => Readonly<Record<string, string>>, status = 429): Hooks => {
  const count = counter();
  return {
    intercept: (_arrival, world) =>
      count(world) % n === 0 ? delivery(status, '{"message":"slow down"}', 'application/json', headers()) : undefined,
  };
};

const processing = (): Hooks => {
  const count = counter();
  return {
    bodies: {
      updateRecording: (body, { world }) => {
        const updates = count(world);
        return { ...body, status: updates < 30 ? 'pending' : updates < 60 ? 'processing' : 'completed' };
      },
    },
  };
};

const clockAhead = (minutes: number): Hooks => {
  const set = perWorld(() => ({ done: false }));
  return {
    receive: (arrival, world) => {
      if (set(world).done) return undefined;
      set(world).done = true;
      world.clock.advance(minutes * 60_000);
      return { ...arrival };
    },
  };
};

/** Hooks that sign the access tokens of the SSO login again, with other claims and headers. */
const tokensWith = (claims: (old: jwt.JwtPayload) => object, header: object = {}): Hooks => ({
  bodies: {
    ssoLogin: (grant, { world }: { world: World }) => {
      const old = jwt.decode(String(grant.access_token), { json: true }) ?? {};
      const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
      const head = `${part({ alg: 'HS256', typ: 'JWT', ...header })}.${part(claims(old))}`;
      return {
        ...grant,
        access_token: `${head}.${createHmac('sha256', world.signingKey).update(head).digest('base64url')}`,
      };
    },
  },
});

const refusingTitles = (isRefused: (title: string) => boolean): Hooks => ({
  operations: {
    updateRecording: (world, request) => {
      const { title } = sentOf(request);
      const refused = refusal(world.answers, 'validation', 'The title is not one that can be had.');
      if (typeof title === 'string' && isRefused(title) && refused) throw refused;
      return undefined;
    },
  },
});

/** Other ways to do what the document says: they break nothing, so no check may complain. */
export const variations = family('variation', [
  [
    'extra-fields',
    [],
    'Every object has more fields than the document shows.',
    saying((value) => (isRecord(value) ? { ...more, ...value } : value)),
  ],
  [
    'members-reversed',
    [],
    'Objects have their members in the opposite order.',
    saying((value) => (isRecord(value) ? Object.fromEntries(Object.entries(value).reverse()) : value)),
  ],
  ['lists-reversed', [], 'Lists are in the opposite order.', saying(backwards)],
  ['lists-rotating', [], 'The list of API keys is in another order each time.', rotating()],
  [
    'times-offset-micros',
    [],
    'Times have the offset +02:00 and microseconds.',
    timesAs((time) => inZone(time, 120, '.123456'.replace('123', String(time % 1000).padStart(3, '0')))),
  ],
  [
    'times-west-seconds',
    [],
    'Times have the offset -05:30 and whole seconds.',
    timesAs((time) => inZone(time, -330, '')),
  ],
  ['times-local', [], 'Times have no offset.', timesAs((time) => new Date(time).toISOString().slice(0, 19))],
  ['ids-opaque', [], 'Ids say nothing, and have capitals, - and _ in them.', idsAs(opaque)],
  ['ids-numeric', [], 'Ids look like very long numbers.', idsAs(numeric)],
  [
    'base-path',
    [],
    `The API is found under ${basePath}.`,
    {
      receive: (arrival) => ({
        ...arrival,
        url: arrival.url.startsWith(`${basePath}/`) ? arrival.url.slice(basePath.length) : '/nothing-here',
      }),
    },
  ],
  ['slow', [], 'Every answer takes 10 ms.', writing(() => ({ delayMs: 10 }))],
  [
    'chunked',
    [],
    'Answers come in chunks of 7 characters, without Content-Length.',
    writing(() => ({ pieces: { size: 7, everyMs: 0 } })),
  ],
  [
    'connection-close',
    [],
    'The connection is closed after each answer.',
    writing(({ headers }) => ({ headers: { ...headers, Connection: 'close' } })),
  ],
  [
    'limited',
    [],
    'Every 90th request gets 429 with Retry-After in seconds.',
    limited(90, () => ({ 'Retry-After': '1' })),
  ],
  [
    'limited-until',
    [],
    'Every 90th request gets 429 with Retry-After as a date.',
    limited(90, () => ({ 'Retry-After': new Date(Date.now() + 1000).toUTCString() })),
  ],
  ['busy', [], 'Every 90th request gets 503 with Retry-After.', limited(90, () => ({ 'Retry-After': '0' }), 503)],
  ['empty-tenant', [], 'The tenant has no API keys.', { bodies: { listTenantApiKeys: () => [] } }],
  [
    'one-key',
    [],
    'The tenant has one API key.',
    { bodies: { listTenantApiKeys: (keys) => (keys as unknown as Body[]).filter(({ id }) => id === 'key_a1') } },
  ],
  [
    'media-type-parameters',
    [],
    'The media type has parameters: application/json;charset=UTF-8; profile="x".',
    typed('application/json;charset=UTF-8; profile="x"'),
  ],
  ['media-type-bare', [], 'The media type is written Application/JSON.', typed('Application/JSON')],
  [
    'media-type-vendor',
    [],
    'The media type is application/vnd.platform.v1+json.',
    typed('application/vnd.platform.v1+json'),
  ],
  [
    'extra-headers',
    [],
    'Answers have a cookie, an ETag, links and more headers.',
    writing(({ headers }) => ({
      headers: {
        ...headers,
        'Set-Cookie': 'session=1; HttpOnly',
        ETag: '"1"',
        Vary: 'Accept, Authorization',
        'Cache-Control': 'no-store',
        'X-Request-Id': 'a:1',
        'Strict-Transport-Security': 'max-age=1',
      },
    })),
  ],
  [
    'json-pretty',
    [],
    'JSON is indented and ends with a new line.',
    written((body) => `\n${JSON.stringify(body, null, '\t')}\n`),
  ],
  ['json-escaped', [], 'JSON has all but ASCII escaped, and slashes too.', written(escaped)],
  [
    'success-202',
    [],
    'Successes have the status 202.',
    writing(({ status }) => ({ status: status < 300 ? 202 : status })),
  ],
  ['errors-empty', [], 'Refusals have no body.', refusals(() => ({ text: '' }))],
  [
    'errors-pages',
    [],
    'Refusals are HTML pages.',
    refusals((status) => ({ text: `<h1>${status}</h1>`, headers: { 'Content-Type': 'text/html' } })),
  ],
  ['refusals-404', [], 'All refusals have the status 404.', refusals(() => ({ status: 404 }))],
  [
    'refusals-redirect',
    [],
    'Bad credentials are sent to a sign-in page.',
    refusals((status) => (status === 401 ? { status: 302, headers: { Location: 'https://login.example.test/' } } : {})),
  ],
  ['clock-ahead', [], "The service's clock is ten minutes ahead.", clockAhead(10)],
  ['clock-behind', [], "The service's clock is ten minutes behind.", clockAhead(-10)],
  ['jwt-without-start', [], 'Access tokens state their end only.', tokensWith(({ sub, exp }) => ({ sub, exp }))],
  [
    'jwt-rich',
    [],
    'Access tokens have a key id and more claims.',
    tokensWith(
      (old) => ({
        ...old,
        iss: 'https://login.example.test',
        aud: ['api'],
        nbf: old.iat,
        roles: ['admin'],
        name: 'Añ',
      }),
      { kid: '2026-1' },
    ),
  ],
  [
    'updated-at-stays',
    [],
    'updated_at does not move with updates.',
    { bodies: { updateRecording: (body) => ({ ...body, updated_at: body.created_at }) } },
  ],
  ['in-processing', [], 'The recording is still processed, and moves on by itself.', processing()],
  [
    'titles-short',
    [],
    'Titles of more than 100 characters are refused.',
    refusingTitles((title) => title.length > 100),
  ],
  [
    'titles-plain',
    [],
    'Titles with anything but letters, digits and single spaces are refused.',
    refusingTitles((title) => !/^[A-Za-z0-9]+( [A-Za-z0-9]+)*$/.test(title)),
  ],
  [
    'login-of-its-own',
    [],
    'The password login answers in a shape of its own.',
    { bodies: { login: ({ access_token, ...rest }) => ({ data: { jwt: access_token, ...rest } }) } },
  ],
  [
    'pat-of-its-own',
    [],
    'The creation of a PAT answers in a shape of its own.',
    { bodies: { createApiToken: ({ token, ...rest }) => ({ data: { ...rest, plainTextToken: token } }) } },
  ],
  [
    'scopes-of-their-own',
    [],
    'The token scopes are answered in a shape of its own.',
    {
      bodies: {
        listTokenScopes: ({ scopes, is_admin }) => ({
          data: {
            permissions: (scopes as string[]).map((key) => ({ key, label: key })),
            account: { role: is_admin ? 'administrator' : 'user' },
          },
        }),
      },
    },
  ],
]);
