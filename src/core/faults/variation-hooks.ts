import { decodeJwt, signedJwt } from '../jwt.ts';
import { refusal } from '../operations/api-error.ts';
import type { JsonObject } from '../spec/document.ts';
import type { World } from '../world/world.ts';
import { refuseToken } from './credentials.ts';
import type { Body, Hooks } from './hooks.ts';
import { writing } from './rewriting.ts';
import { counter, delivery, perWorld, sentOf } from './tools.ts';

/** Whether a value is an object, as against a list. */
export const isRecord = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Fields that the document does not show. */
export const more = { etag: 'W/"3"', tags: ['a', 'b'], note: null, _links: { self: '/somewhere' }, revision: 7 };

/** A list from its end; anything else as it is. */
export const backwards = (value: unknown): unknown => (Array.isArray(value) ? value.toReversed() : value);

/** Hooks that list API keys from another one on each time. */
export const rotating = (): Hooks => {
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

/** Hooks that send every answer under this media type. */
export const typed = (type: string): Hooks =>
  writing(({ headers }) => ({ headers: { ...headers, 'Content-Type': type } }));

/** Hooks that write JSON in another way. */
export const written = (write: (body: unknown) => string): Hooks =>
  writing(({ text }) => (text === '' ? {} : { text: write(JSON.parse(text)) }));

/** JSON in ASCII, with slashes escaped. */
export const escaped = (body: unknown): string =>
  JSON.stringify(body)
    .replaceAll(/[^\x20-\x7e]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('/', '\\/');

/** Hooks that tell refusals otherwise. */
export const refusals = (
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

/** Hooks that turn every nth request away, and say for how long. */
export const limited = (n: number, headers: () => Readonly<Record<string, string>>, status = 429): Hooks => {
  const count = counter();
  return {
    intercept: (_arrival, world) =>
      count(world) % n === 0 ? delivery(status, '{"message":"slow down"}', 'application/json', headers()) : undefined,
  };
};

/** Hooks under which the recording moves on by itself. */
export const processing = (): Hooks => {
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

/** Hooks that move the world's clock by so many minutes, once. */
export const clockAhead = (minutes: number): Hooks => {
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
export const tokensWith = (claims: (old: JsonObject) => object, header: object = {}): Hooks => ({
  bodies: {
    ssoLogin: (grant, { world }: { world: World }) => {
      const old = decodeJwt(String(grant.access_token))?.claims ?? {};
      const access_token = signedJwt({ alg: 'HS256', typ: 'JWT', ...header }, claims(old), world.signingKey);
      return { ...grant, access_token };
    },
  },
});

/** Hooks that refuse titles which a service need not take. */
export const refusingTitles = (isRefused: (title: string) => boolean): Hooks => ({
  operations: {
    updateRecording: (world, request) => {
      const { title } = sentOf(request);
      const refused = refusal(world.answers, 'validation', 'The title is not one that can be had.');
      if (typeof title === 'string' && isRefused(title) && refused) throw refused;
      return undefined;
    },
  },
});

/** Hooks under which each token is unknown at its first use, as where another instance has to learn of it. */
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
