import type { ErrorOccasion } from '../error-body.ts';
import type { MockRequest } from '../message.ts';
import type { OperationId } from '../spec/document.ts';
import type { World } from '../world/world.ts';
import type { Caller } from './caller.ts';
import { createApiToken } from './create-api-token.ts';
import { listTenantApiKeys } from './list-tenant-api-keys.ts';
import { listTokenScopes } from './list-token-scopes.ts';
import { login } from './login.ts';
import type { Operation } from './operation.ts';
import { refreshAccessToken } from './refresh-access-token.ts';
import { ssoLogin } from './sso-login.ts';
import { updateRecording } from './update-recording.ts';

/** A request as the client sent it; its URL is without the prefix of a sandbox. */
export type Arrival = Pick<MockRequest, 'method' | 'url' | 'headers'>;

/** A response before serialization. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Of the body, if it is not plain JSON. */
  readonly mediaType?: string;
}

/** What is known of a request at a step of its processing: one that is refused early has neither caller nor body. */
export interface RequestContext {
  readonly world: World;
  /** As the service received it. */
  readonly arrival: Arrival;
  /** Undefined if no operation was matched. */
  readonly operation: OperationId | undefined;
  /** For the body of an error. */
  readonly occasion: () => ErrorOccasion;
  readonly request: {
    readonly params: Readonly<Record<string, string>>;
    readonly query: Readonly<Record<string, unknown>>;
    readonly caller: Caller | undefined;
    readonly body: unknown;
  };
}

/** The operations by the source document and the answers in force. */
export const operations: { readonly [Id in OperationId]: Operation<Id> } = {
  ssoLogin,
  login,
  refreshAccessToken,
  createApiToken,
  listTokenScopes,
  updateRecording,
  listTenantApiKeys,
};
