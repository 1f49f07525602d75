import { asNumber, asText } from '../../../contract-tests/values/json.ts';
import { hmacBase64url } from '../crypto.ts';
import { decodeJwt } from '../jwt.ts';
import { headerOf } from '../message.ts';
import { apiError } from '../operations/api-error.ts';
import type { Arrival } from '../operations/behaviour.ts';
import type { Caller } from '../operations/caller.ts';
import { bearerToken } from '../operations/tokens.ts';
import type { OperationId } from '../spec/document.ts';
import type { World } from '../world/world.ts';
import { inBody, objectOf, on } from './change.ts';
import type { Body, HookContext, Hooks } from './fault.ts';

/** Refuses the token of a request, in the profile's error shape. */
export function refuseToken(world: World): never {
  throw apiError(world.answers, 'invalid-credentials', 'The token is not valid.');
}

export function callerById(world: World, id: unknown, via: Caller['via']): Caller | undefined {
  const user = world.store.users.get(asText(id));
  return user && { user, via };
}

/** A confirmed administrator as a caller. */
export function administrator({ store }: World): Caller | undefined {
  const user = [...store.users.all()].find(({ administrator, confirmed }) => administrator && confirmed);
  return user && { user, via: 'jwt' };
}

const authorizationOf = ({ headers }: Arrival): string => headerOf(headers, 'authorization') ?? '';
const tokenOf = (arrival: Arrival): string => bearerToken(authorizationOf(arrival)) ?? '';

/** Hooks that accept credentials which must be refused; `as` returns the caller, or undefined to refuse them. */
export const accepting = (as: (context: HookContext, token: string) => Caller | undefined): Hooks => ({
  authenticate: (context) => {
    try {
      context.run();
      return undefined;
    } catch (error) {
      const caller = as(context, tokenOf(context.arrival));
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
  accepting(({ world }, token) => {
    const { header, claims } = decodeJwt(token) ?? {};
    const [head, body, given = ''] = token.split('.');
    const genuine = hmacBase64url(world.signingKey, `${head}.${body}`);
    const isProven = header && isAccepted({ given, genuine, algorithm: asText(header.alg) });
    return isProven ? callerById(world, claims?.sub, 'jwt') : undefined;
  });

const patPattern = /^([A-Za-z][A-Za-z0-9]*)_([^.]+)(?:\.(.*))?$/;

/** Hooks that accept some invalid PATs; `isOfUser`: with the secret of some PAT of the same user. */
export function acceptingPat(isAccepted: (proof: Proof & { readonly isOfUser: boolean }) => boolean): Hooks {
  // The store holds hashes only.
  const secretsOf = ({ remember }: HookContext) => remember(() => new Map<string, string>());
  return {
    observes: true,
    ...accepting((context, token) => {
      const [, , id = '', given = ''] = patPattern.exec(token) ?? [];
      const { pats } = context.world.store;
      const [genuine, pat] = [secretsOf(context).get(id), pats.get(id)];
      const isOfUser = [...secretsOf(context)].some(
        ([other, secret]) => secret === given && pats.get(other)?.user_id === pat?.user_id,
      );
      const isProven = pat && genuine !== undefined && isAccepted({ given, genuine, isOfUser });
      return isProven ? callerById(context.world, pat.user_id, 'pat') : undefined;
    }),
    ...inBody('createApiToken')(({ token, key }, context) => {
      const [, , id = '', secret = ''] = patPattern.exec(asText(token ?? key)) ?? [];
      secretsOf(context).set(id, secret);
    }),
  };
}

/** Hooks that refuse valid tokens of one kind at an operation or at all. */
export const refusing =
  (via: Caller['via']) =>
  (id: OperationId | 'all'): Hooks =>
    on(id, ({ world, request }) => (request.caller?.via === via ? refuseToken(world) : undefined));

/** A use of a valid token: its number (1: the first one), the milliseconds since the first one and since the token was issued, how many uses of all tokens there were before both. */
export interface Use {
  readonly via: Caller['via'];
  readonly use: number;
  readonly ageMs: number;
  readonly issuedMs: number;
  readonly first: number;
  readonly at: number;
}

/** Hooks that refuse some uses of valid tokens. */
export const refusingUses = (isRefused: (use: Use) => boolean): Hooks => ({
  observes: true,
  authenticate: ({ world, arrival, run, remember }) => {
    const { via } = run();
    const memory = remember(() => ({
      at: 0,
      known: new Map<string, { use: number; firstAt: number; first: number }>(),
    }));
    memory.at += 1;
    const token = tokenOf(arrival);
    const now = world.clock.now();
    const { use, firstAt, first } = memory.known.get(token) ?? { use: 0, firstAt: now, first: memory.at };
    memory.known.set(token, { use: use + 1, firstAt, first });
    const issuedMs = now - asNumber(decodeJwt(token)?.claims.iat ?? 0) * 1000;
    const isOver = isRefused({ via, use: use + 1, ageMs: now - firstAt, issuedMs, first, at: memory.at });
    return isOver ? refuseToken(world) : undefined;
  },
});

/** Hooks under which a success ends the token that `ended` returns; `replaced` notes a user's latest token and returns the former. */
export function ending(
  operation: OperationId,
  ended: (body: Body, context: HookContext, replaced: (user: unknown, token: unknown) => unknown) => unknown,
): Hooks {
  const memoryOf = ({ remember }: HookContext) =>
    remember(() => ({ ended: new Set<unknown>(), latest: new Map<unknown, unknown>() }));
  return {
    observes: true,
    authenticate: (context) =>
      memoryOf(context).ended.has(tokenOf(context.arrival)) ? refuseToken(context.world) : undefined,
    ...inBody(operation)((body, context) => {
      const { ended: tokens, latest } = memoryOf(context);
      const replaced = (user: unknown, token: unknown): unknown => {
        const before = latest.get(user);
        latest.set(user, token);
        return before;
      };
      const token = ended(objectOf(body), context, replaced);
      if (token !== undefined) tokens.add(token);
    }),
  };
}

/** Hooks that accept requests of some paths without credentials, as from an administrator. */
export const openTo = (path: RegExp): Hooks =>
  accepting(({ world, arrival }) =>
    arrival.headers.authorization === undefined && path.test(arrival.url) ? administrator(world) : undefined,
  );
