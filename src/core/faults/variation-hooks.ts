import { decodeJwt, signedJwt } from '../jwt.ts';
import { isObject, type JsonObject } from '../spec/document.ts';
import { inGrant, inKeyList, inRecording } from './bodies.ts';
import { refuseToken } from './credentials.ts';
import type { Hooks } from './hooks.ts';
import { mapJson, writing } from './rewriting.ts';
import { counter, delivery, everyNth, intercepting, perWorld } from './tools.ts';

/** Undocumented fields. */
export const undocumented = {
  etag: 'W/"3"',
  tags: ['a', 'b'],
  note: null,
  _links: { self: '/somewhere' },
  revision: 7,
};

/** A list in reverse order; any other value unchanged. */
export const reversed = (value: unknown): unknown => (Array.isArray(value) ? value.toReversed() : value);

/** Hooks that rotate the list of API keys by one more on each request. */
export const rotating = (): Hooks => {
  const count = counter();
  return inKeyList((keys, { world }) => {
    const at = count(world) % Math.max(1, keys.length);
    return [...keys.slice(at), ...keys.slice(0, at)];
  });
};

/** Hooks that send every response with this media type. */
export const typed = (type: string): Hooks =>
  writing(({ headers }) => ({ headers: { ...headers, 'Content-Type': type } }));

/** Hooks that serialize JSON in another way. */
export const serialized = (write: (body: unknown) => string): Hooks =>
  writing(({ text }) => (text === '' ? {} : { text: write(JSON.parse(text)) }));

/** JSON in ASCII, with slashes escaped. */
export const escaped = (body: unknown): string =>
  JSON.stringify(body)
    .replaceAll(/[^\x20-\x7e]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('/', '\\/');

/** Hooks that change error responses. */
export const refusals = (
  change: (status: number) => Partial<{ status: number; text: string; headers: Record<string, string> }>,
): Hooks => ({
  deliver: (sent) => {
    if (sent.status < 400) return undefined;
    const { headers, ...changes } = change(sent.status);
    return { ...sent, ...changes, headers: { ...sent.headers, ...headers } };
  },
});

/** The path prefix of the API in the variation base-path. */
export const basePath = '/platform/api';

/** Hooks that refuse every nth request with a Retry-After. */
export const limited = (n: number, retryAfter: () => string, status = 429): Hooks =>
  intercepting(() => delivery(status, '{"message":"slow down"}', 'application/json', { 'Retry-After': retryAfter() }), {
    cadence: everyNth(n),
  });

/** Hooks that advance the status of a recording while it is updated. */
export const processing = (): Hooks => {
  const count = counter();
  return inRecording((_recording, { world }) => {
    const updates = count(world);
    return { status: updates < 30 ? 'pending' : updates < 60 ? 'processing' : 'completed' };
  });
};

/** Hooks that advance the world's clock once. */
export const clockAhead = (minutes: number): Hooks => {
  const set = perWorld(() => ({ done: false }));
  return {
    receive: (arrival, world, isDue) => {
      if (set(world).done || !isDue()) return undefined;
      set(world).done = true;
      world.clock.advance(minutes * 60_000);
      return { ...arrival };
    },
  };
};

/** Hooks that re-sign the access tokens of the SSO login with other claims and headers. */
export const tokensWith = (claims: (old: JsonObject) => object, header: object = {}): Hooks =>
  inGrant((grant, { world }) => {
    const old = decodeJwt(String(grant.access_token))?.claims ?? {};
    return { access_token: signedJwt({ alg: 'HS256', typ: 'JWT', ...header }, claims(old), world.signingKey) };
  });

const sorted = (value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value;

/** Hooks under which a recording shows what was written to it, as SQL keeps it: empty texts as null, members in another order. */
export const showingWritten = (): Hooks =>
  inRecording(({ id }, { world }) => {
    const { summary, kb_folder_id, kb_document_id, analysis } = world.store.recordings.get(String(id)) ?? {};
    return {
      summary: summary || null,
      kb_folder_id: kb_folder_id || null,
      kb_document_id: kb_document_id || null,
      analysis: mapJson(analysis ?? null, sorted),
    };
  });

/** Hooks under which each token is unknown at its first use, as where another instance has yet to learn of it. */
export const knownLate = (): Hooks => {
  const seen = perWorld(() => new Set<string>());
  return {
    authenticate: (world, authorization = '', faithful) => {
      faithful();
      if (seen(world).has(authorization)) return undefined;
      seen(world).add(authorization);
      return refuseToken(world);
    },
  };
};
