import { hmacBase64url, randomText } from '../crypto.ts';
import { decodeJwt } from '../jwt.ts';
import { apiError } from '../operations/api-error.ts';
import type { AnswerContext } from '../operations/behaviour.ts';
import type { Caller } from '../operations/operation.ts';
import { bearerToken } from '../operations/tokens.ts';
import { type ApiDocument, type OperationId, operationsOf } from '../spec/document.ts';
import { apiTemplate } from '../spec/template.ts';
import type { User } from '../world/records.ts';
import type { World } from '../world/world.ts';
import type { Body, Hooks } from './hooks.ts';
import { on, perWorld } from './tools.ts';

/** The operations that require a bearer token. */
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

/** A confirmed administrator. */
export const administratorOf = ({ store }: World): User | undefined =>
  [...store.users.all()].find(({ administrator, confirmed }) => administrator && confirmed);

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

/** Hooks that accept an invalid JWT, depending on its signature, the genuine signature and the algorithm. */
export const acceptingJwt = (accepts: (given: string, genuine: string, algorithm: string) => boolean): Hooks =>
  accepting((world, token) => {
    const decoded = decodeJwt(token);
    if (!decoded) return undefined;
    const [head, body, given = ''] = token.split('.');
    const genuine = hmacBase64url(world.signingKey, `${head}.${body}`);
    return accepts(given, genuine, String(decoded.header.alg))
      ? callerById(world, decoded.claims.sub, 'jwt')
      : undefined;
  });

const patPattern = /^([A-Za-z][A-Za-z0-9]*)_([^.]+)(?:\.(.*))?$/;

/** Hooks that accept an invalid PAT, depending on its secret and the genuine secret. */
export function acceptingPat(accepts: (given: string, genuine: string) => boolean): Hooks {
  // The store holds hashes only.
  const secrets = perWorld(() => new Map<string, string>());
  const { authenticate } = accepting((world, token) => {
    const [, , id = '', given = ''] = patPattern.exec(token) ?? [];
    const genuine = secrets(world).get(id);
    const pat = world.store.pats.get(id);
    return pat && genuine !== undefined && accepts(given, genuine) ? callerById(world, pat.user_id, 'pat') : undefined;
  });
  const remember = (body: Body, { world }: AnswerContext): undefined => {
    const [, , id = '', secret = ''] = patPattern.exec(String(body.token ?? body.key)) ?? [];
    secrets(world).set(id, secret);
  };
  return { observes: true, ...(authenticate && { authenticate }), bodies: { createApiToken: remember } };
}

/** Hooks that refuse valid tokens of one kind at these operations. */
export const refusing = (via: Caller['via'], ...ids: readonly OperationId[]): Hooks => ({
  operations: on(ids, (world, { caller }) => (caller?.via === via ? refuseToken(world) : undefined)),
});

/** A token for requests without credentials, unknown to clients. */
const anonymousToken = randomText();

/** Hooks that accept requests without credentials at these operations, as the caller that `who` returns. */
export function openTo(who: (world: World) => Caller | undefined, ...ids: readonly OperationId[]): Hooks {
  const anonymous = new WeakSet<Caller>();
  return {
    receive: (arrival) =>
      arrival.headers.authorization === undefined && !arrival.url.startsWith('/v1/auth/')
        ? { ...arrival, headers: { ...arrival.headers, authorization: `Bearer ${anonymousToken}` } }
        : undefined,
    ...accepting((world, token) => {
      const caller = token === anonymousToken ? who(world) : undefined;
      if (caller) anonymous.add(caller);
      return caller;
    }),
    operations: on(
      protectedIds.filter((id) => !ids.includes(id)),
      (world, { caller }) => (caller && anonymous.has(caller) ? refuseToken(world) : undefined),
    ),
  };
}
