import { randomUUID } from 'node:crypto';
import type { TargetField } from './target-fields.ts';

/** What the suite ever sends: nothing that deletes or replaces. */
export type Method = 'GET' | 'POST' | 'PATCH' | 'OPTIONS';

interface Traits {
  /** The rule that reports that the operation never succeeds, and what to look at then. */
  readonly reportedBy: string;
  readonly hint: string;
  /** Takes an access token or a PAT. */
  readonly isProtected?: true;
}

/**
 * @param id in spec/openapi.yaml
 * @param path `undefined` where the document does not show it (4.4)
 */
const operation = <const M extends Method, P extends string | undefined, const T extends Traits>(
  id: string,
  method: M,
  path: P,
  needs: readonly TargetField[],
  traits: T,
) => ({ id, method, path, needs, name: `${method} ${path ?? 'of the token scopes'}`, ...traits });

/** The operations of the document: everything that names or addresses one takes it from here. */
export const OPERATIONS = {
  sso: operation('ssoLogin', 'POST', '/v1/auth/sso', ['actors.admin.sso'], {
    reportedBy: 'sso-claims-accepted',
    hint: 'Check that actors.admin.sso names an identity that the target knows.',
  }),
  'api-keys': operation(
    'listTenantApiKeys',
    'GET',
    '/v1/admin/tenants/{id}/api-keys',
    ['actors.admin', 'resources.tenantId'],
    {
      reportedBy: 'keys-list',
      hint: 'Check that actors.admin may list the API keys of resources.tenantId.',
      isProtected: true,
    },
  ),
  scopes: operation('listTokenScopes', 'GET', undefined, ['actors.admin'], {
    reportedBy: 'scopes-answered',
    hint: 'Check answers.scopes-path in the profile.',
    isProtected: true,
  }),
  recording: operation(
    'updateRecording',
    'PATCH',
    '/v1/echo/recordings/{recordingId}',
    ['actors.admin', 'resources.recordingId'],
    {
      reportedBy: 'recording-update-summary',
      hint: 'Check that actors.admin may update resources.recordingId.',
      isProtected: true,
    },
  ),
  login: operation('login', 'POST', '/v1/auth/login', ['actors.admin.login'], {
    reportedBy: 'login-jwt',
    hint: 'Check the fields of actors.admin.login: its body is not documented.',
  }),
  pat: operation('createApiToken', 'POST', '/v1/api-tokens', ['actors.admin'], {
    reportedBy: 'pat-created',
    hint: 'The path is documented.',
  }),
};

type Operations = typeof OPERATIONS;
export type OperationId = keyof Operations;
export const OPERATION_IDS = Object.keys(OPERATIONS) as OperationId[];

export type ProtectedId = {
  [Id in OperationId]: Operations[Id] extends { isProtected: true } ? Id : never;
}[OperationId];
export const isProtected = (id: OperationId | undefined): id is ProtectedId =>
  id !== undefined && 'isProtected' in OPERATIONS[id];
export const PROTECTED = OPERATION_IDS.filter(isProtected);

export const SSO_PATH: string = OPERATIONS.sso.path;
export const PAT_CREATION_PATH: string = OPERATIONS.pat.path;

const withId = (template: string, id: string): string => template.replace(/\{\w+\}/, () => encodeURIComponent(id));

export const recordingPath = (recordingId: string): string => withId(OPERATIONS.recording.path, recordingId);

export const apiKeysPath = (tenantId: string): string => withId(OPERATIONS['api-keys'].path, tenantId);

export const isPathOf = (operation: OperationId, path: string): boolean =>
  new RegExp(`^${OPERATIONS[operation].path?.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);

export const PAT_NAME = 'platform-mock contract run';

/** How identifiers start that the suite makes up: UUIDs, as every usual format of identifiers accepts them. */
const MADE_UP = '00000000-0000-4000-8000-';
/** An identifier that nothing has, another one at each call. */
export const madeUpId = (): string => MADE_UP + randomUUID().slice(-12);
export const isMadeUp = (id: string | undefined): boolean => id?.startsWith(MADE_UP) === true;

/** An identifier of the most usual format. A target that looks it up, or has another format, refuses it. */
export const SAMPLE_ID = '7d0d4a52-5f2c-4b1e-9c1d-0e6f8a3b2c4d';
