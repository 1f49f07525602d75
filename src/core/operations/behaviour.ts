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

/** A request as the client sent it. Header names are in lower case. */
export interface Arrival {
  readonly method: string;
  /** Path and query, without the prefix of a sandbox. */
  readonly url: string;
  readonly headers: RequestHeaders;
}

/** A response before serialization. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined: none. */
  readonly body: unknown;
  /** Of the body, if it is not plain JSON. */
  readonly mediaType?: string;
}

export interface AnswerContext {
  readonly world: World;
  readonly arrival: Arrival;
  /** Undefined if no operation was matched. */
  readonly operation: OperationId | undefined;
  /** As far as processed: a request refused early has neither caller nor body. */
  readonly request: Partial<Pick<OperationRequest, 'params' | 'query' | 'caller'>> & { readonly body?: unknown };
}

/** The steps of the API that a fault can replace, in the order of processing. */
export interface Behaviour {
  /** The request as the service receives it; unchanged without faults. */
  readonly receive: (arrival: Arrival, world: World) => Arrival;
  /** A response instead of the service's, before any effect; none without faults. */
  readonly intercept: (arrival: Arrival, world: World) => Delivery | undefined;
  readonly authenticate: Authenticate;
  readonly operations: { readonly [Id in OperationId]: Operation<Id> };
  /** Changes a response after it was validated. */
  readonly present: (answer: Answer, context: AnswerContext) => Answer;
  readonly deliver: (delivery: Delivery, context: AnswerContext) => Delivery;
  /** What happens to any response on its way, including those sent instead of the service's. */
  readonly transport: (delivery: Delivery, context: AnswerContext) => Delivery;
}

/** The behaviour of the source document and the answers in force. */
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
  transport: (delivery) => delivery,
};
