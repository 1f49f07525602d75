import { hmacBase64url } from '../crypto.ts';
import { decodeJwt } from '../jwt.ts';
import { apiError } from '../operations/api-error.ts';
import type { AnswerContext } from '../operations/behaviour.ts';
import type { Caller } from '../operations/operation.ts';
import { bearerToken } from '../operations/tokens.ts';
import type { OperationId } from '../spec/document.ts';
import type { User } from '../world/records.ts';
import type { World } from '../world/world.ts';
import type { Body, Hooks } from './hooks.ts';
import { on, perWorld } from './tools.ts';

/** The operations that take a bearer token. */
export const protectedIds: readonly OperationId[] = [
  'updateRecording',
  'listTenantApiKeys',
  'listTokenScopes',
  'createApiToken',
];

/** Refuses the token of a request, in the profile's words. */
export function refuseToken(world: World): never {
  throw apiError(world.answers, 'invalid-credentials', 'The token is not valid.');
}

/** The caller whom a user's id names. */
export function callerNamed(world: World, id: unknown, via: Caller['via']): Caller | undefined {
  const user = world.store.users.get(String(id));
  return user && { user, via };
}

/** Somebody who may do everything. */
export const administratorOf = ({ store }: World): User | undefined =>
  [...store.users.all()].find(({ administrator, confirmed }) => administrator && confirmed);

/** Hooks that let in what is to be refused; `as` says as whom, if at all. */
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

/** Hooks that judge a JWT that is to be refused by its signature, and the one that would be right. */
export const acceptingJwt = (accepts: (given: string, genuine: string, algorithm: string) => boolean): Hooks =>
  accepting((world, token) => {
    const decoded = decodeJwt(token);
    if (!decoded) return undefined;
    const [head, body, given = ''] = token.split('.');
    const genuine = hmacBase64url(world.signingKey, `${head}.${body}`);
    return accepts(given, genuine, String(decoded.header.alg))
      ? callerNamed(world, decoded.claims.sub, 'jwt')
      : undefined;
  });

const patForm = /^([A-Za-z][A-Za-z0-9]*)_([^.]+)(?:\.(.*))?$/;

/** Hooks that judge a PAT that is to be refused by its secret, and the one that would be right. */
export function acceptingPat(accepts: (given: string, genuine: string) => boolean): Hooks {
  // The store has but hashes.
  const secrets = perWorld(() => new Map<string, string>());
  const { authenticate } = accepting((world, token) => {
    const [, , id = '', given = ''] = patForm.exec(token) ?? [];
    const genuine = secrets(world).get(id);
    const pat = world.store.pats.get(id);
    return pat && genuine !== undefined && accepts(given, genuine) ? callerNamed(world, pat.user_id, 'pat') : undefined;
  });
  const remember = (body: Body, { world }: AnswerContext): undefined => {
    const [, , id = '', secret = ''] = patForm.exec(String(body.token ?? body.key)) ?? [];
    secrets(world).set(id, secret);
  };
  return { ...(authenticate && { authenticate }), bodies: { createApiToken: remember } };
}

/** Hooks that refuse good tokens of one kind at these operations. */
export const refusing = (via: Caller['via'], ...ids: readonly OperationId[]): Hooks => ({
  operations: on(ids, (world, { caller }) => (caller?.via === via ? refuseToken(world) : undefined)),
});

/** Stands for the credentials that a request did not bring; nobody else knows it. */
const stranger = crypto.randomUUID();

/** Hooks that let requests without credentials through to these operations, as somebody. */
export function openTo(who: (world: World) => Caller | undefined, ...ids: readonly OperationId[]): Hooks {
  const strangers = new WeakSet<Caller>();
  return {
    receive: (arrival) =>
      arrival.headers.authorization === undefined && !arrival.url.startsWith('/v1/auth/')
        ? { ...arrival, headers: { ...arrival.headers, authorization: `Bearer ${stranger}` } }
        : undefined,
    ...accepting((world, token) => {
      const caller = token === stranger ? who(world) : undefined;
      if (caller) strangers.add(caller);
      return caller;
    }),
    operations: on(
      protectedIds.filter((id) => !ids.includes(id)),
      (world, { caller }) => (caller && strangers.has(caller) ? refuseToken(world) : undefined),
    ),
  };
}
