import { hmacBase64url, randomText } from '../crypto.ts';
import { decodeJwt } from '../jwt.ts';
import { apiError } from '../operations/api-error.ts';
import type { AnswerContext } from '../operations/behaviour.ts';
import type { Caller } from '../operations/caller.ts';
import { bearerToken } from '../operations/tokens.ts';
import { type ApiDocument, type OperationId, operationsOf } from '../spec/document.ts';
import { apiTemplate } from '../spec/template.ts';
import type { World } from '../world/world.ts';
import { inBody, objectOf } from './bodies.ts';
import type { Body, Hooks } from './hooks.ts';
import { on, perWorld } from './tools.ts';

export const protectedIds: readonly OperationId[] = operationsOf(apiTemplate() as unknown as ApiDocument)
  .filter(({ operation }) => operation.security?.some((scheme) => 'bearer' in scheme))
  .map(({ operation }) => operation.operationId);

/** Refuses the token of a request, in the profile's error shape. */
export function refuseToken(world: World): never {
  throw apiError(world.answers, 'invalid-credentials', 'The token is not valid.');
}

/** The caller with a user's id. */
export function callerById(world: World, id: unknown, via: Caller['via']): Caller | undefined {
  const user = world.store.users.get(String(id));
  return user && { user, via };
}

/** A confirmed administrator as a caller. */
export function administrator({ store }: World): Caller | undefined {
  const user = [...store.users.all()].find(({ administrator, confirmed }) => administrator && confirmed);
  return user && { user, via: 'jwt' };
}

/** Hooks that accept credentials which must be refused; `as` returns the caller, or undefined to refuse them. */
export const accepting = (as: (world: World, token: string) => Caller | undefined): Hooks => ({
  authenticate: (world, authorization, faithful) => {
    try {
      faithful();
      return undefined;
    } catch (error) {
      const caller = as(world, bearerToken(authorization) ?? '');
      if (caller) return caller;
      throw error;
    }
  },
});

/** What proves a token: its signature or secret as given, and the genuine one. */
export interface Proof {
  readonly given: string;
  readonly genuine: string;
}

/** Hooks that accept some invalid JWTs. */
export const acceptingJwt = (isAccepted: (proof: Proof & { readonly algorithm: string }) => boolean): Hooks =>
  accepting((world, token) => {
    const { header, claims } = decodeJwt(token) ?? {};
    const [head, body, given = ''] = token.split('.');
    const genuine = hmacBase64url(world.signingKey, `${head}.${body}`);
    const isProven = header && isAccepted({ given, genuine, algorithm: String(header.alg) });
    return isProven ? callerById(world, claims?.sub, 'jwt') : undefined;
  });

const patPattern = /^([A-Za-z][A-Za-z0-9]*)_([^.]+)(?:\.(.*))?$/;

/** Hooks that accept some invalid PATs. */
export function acceptingPat(isAccepted: (proof: Proof) => boolean): Hooks {
  // The store holds hashes only.
  const secrets = perWorld(() => new Map<string, string>());
  return {
    observes: true,
    ...accepting((world, token) => {
      const [, , id = '', given = ''] = patPattern.exec(token) ?? [];
      const [genuine, pat] = [secrets(world).get(id), world.store.pats.get(id)];
      const isProven = pat && genuine !== undefined && isAccepted({ given, genuine });
      return isProven ? callerById(world, pat.user_id, 'pat') : undefined;
    }),
    ...inBody('createApiToken')(({ token, key }, { world }) => {
      const [, , id = '', secret = ''] = patPattern.exec(String(token ?? key)) ?? [];
      secrets(world).set(id, secret);
    }),
  };
}

/** Hooks that refuse valid tokens of one kind at these operations. */
export const refusing =
  (via: Caller['via']) =>
  (ids: readonly OperationId[]): Hooks =>
    on(ids, (world, { caller }) => (caller?.via === via ? refuseToken(world) : undefined));

interface TokenUse {
  readonly via: Caller['via'];
  /** 1: the first one. */
  readonly use: number;
  /** Milliseconds since the first one. */
  readonly ageMs: number;
}

/** Hooks that refuse some uses of valid tokens. */
export function refusingUses(isRefused: (use: TokenUse) => boolean): Hooks {
  const known = perWorld(() => new Map<string, { uses: number; firstAt: number }>());
  return {
    observes: true,
    authenticate: (world, authorization = '', faithful) => {
      const { via } = faithful();
      const now = world.clock.now();
      const { uses, firstAt } = known(world).get(authorization) ?? { uses: 0, firstAt: now };
      known(world).set(authorization, { uses: uses + 1, firstAt });
      return isRefused({ via, use: uses + 1, ageMs: now - firstAt }) ? refuseToken(world) : undefined;
    },
  };
}

/** Hooks under which a success ends the token that `ended` returns; `replaced` notes a user's latest token and returns the former. */
export function ending(
  operation: OperationId,
  ended: (body: Body, context: AnswerContext, replaced: (user: unknown, token: unknown) => unknown) => unknown,
): Hooks {
  const memory = perWorld(() => ({ ended: new Set<unknown>(), latest: new Map<unknown, unknown>() }));
  return {
    observes: true,
    authenticate: (world, authorization) =>
      memory(world).ended.has(bearerToken(authorization)) ? refuseToken(world) : undefined,
    present: ({ status, body }, context) => {
      if (context.operation !== operation || status >= 300) return undefined;
      const { ended: tokens, latest } = memory(context.world);
      const replaced = (user: unknown, token: unknown): unknown => {
        const before = latest.get(user);
        latest.set(user, token);
        return before;
      };
      const token = ended(objectOf(body), context, replaced);
      if (token !== undefined) tokens.add(token);
      return undefined;
    },
  };
}

/** A token for requests without credentials, unknown to clients. */
const anonymousToken = randomText();

/** Hooks that accept requests of some paths without credentials, as from an administrator. */
export const openTo = (path: RegExp): Hooks => ({
  receive: (arrival) =>
    arrival.headers.authorization === undefined && path.test(arrival.url)
      ? { ...arrival, headers: { ...arrival.headers, authorization: `Bearer ${anonymousToken}` } }
      : undefined,
  ...accepting((world, token) => (token === anonymousToken ? administrator(world) : undefined)),
});
