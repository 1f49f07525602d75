import type { Delivery, RequestHeaders } from '../message.ts';
import type { OperationId } from '../spec/document.ts';
import type { World } from '../world/world.ts';
import { createApiToken } from './create-api-token.ts';
import { listTenantApiKeys } from './list-tenant-api-keys.ts';
import { listTokenScopes } from './list-token-scopes.ts';
import { login } from './login.ts';
import type { Operation, OperationRequest } from './operation.ts';
import { refreshAccessToken } from './refresh-access-token.ts';
import { ssoLogin } from './sso-login.ts';
import { type Authenticate, authenticate } from './tokens.ts';
import { updateRecording } from './update-recording.ts';

/** What a client sent, before anything looked at it. Names of headers are in lower case. */
export interface Arrival {
  readonly method: string;
  /** Path and query, without the prefix of a sandbox. */
  readonly url: string;
  readonly headers: RequestHeaders;
}

/** An answer, before it is written out. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** What the answer is to. */
export interface AnswerContext {
  readonly world: World;
  readonly arrival: Arrival;
  /** Absent where no operation was reached. */
  readonly operation: OperationId | undefined;
  /** As far as it was read: a request that was refused early has neither caller nor body. */
  readonly request: Partial<Pick<OperationRequest, 'params' | 'query' | 'caller'>> & { readonly body?: unknown };
}

/**
 * All that the API does, in one place, so that a fault can put something else in the place of a part. In the order in
 * which a request meets them.
 */
export interface Behaviour {
  /** What the service sees of what was sent: the same, unless something in between changes it. */
  readonly receive: (arrival: Arrival, world: World) => Arrival;
  /** An answer in the service's place, before anything has happened; normally there is none. */
  readonly intercept: (arrival: Arrival, world: World) => Delivery | undefined;
  readonly authenticate: Authenticate;
  readonly operations: { readonly [Id in OperationId]: Operation<Id> };
  /** Says the answer in other words, after it was found to keep the spec. */
  readonly present: (answer: Answer, context: AnswerContext) => Answer;
  /** How the answer goes out on the wire. */
  readonly deliver: (delivery: Delivery, context: AnswerContext) => Delivery;
}

/** What the source document and the answers in force say. */
export const faithful: Behaviour = {
  receive: (arrival) => arrival,
  intercept: () => undefined,
  authenticate,
  operations: {
    ssoLogin,
    login,
    refreshAccessToken,
    createApiToken,
    listTokenScopes,
    updateRecording,
    listTenantApiKeys,
  },
  present: (answer) => answer,
  deliver: (delivery) => delivery,
};
