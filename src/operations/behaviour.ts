import type { OperationId } from '../spec/document.ts';
import type { World } from '../world/world.ts';
import { type Authenticate, authenticate } from './authenticate.ts';
import { createApiToken } from './create-api-token.ts';
import { listTenantApiKeys } from './list-tenant-api-keys.ts';
import { listTokenScopes } from './list-token-scopes.ts';
import { login } from './login.ts';
import type { Operation } from './operation.ts';
import { refreshAccessToken } from './refresh-access-token.ts';
import { ssoLogin } from './sso-login.ts';
import { updateRecording } from './update-recording.ts';

/** An answer on its way to the client. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** What the answer is to. */
export interface AnswerContext {
  readonly world: World;
  /** Absent where no operation was reached. */
  readonly operation: OperationId | undefined;
}

/** All that the API does, in one place, so that a fault can put something else in the place of a part. */
export interface Behaviour {
  readonly authenticate: Authenticate;
  readonly operations: { readonly [Id in OperationId]: Operation<Id> };
  /** The last thing that happens to an answer, after it was found to keep the spec. */
  readonly present: (answer: Answer, context: AnswerContext) => Answer;
}

/** What the source document and the answers in force say. */
export const faithful: Behaviour = {
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
};
