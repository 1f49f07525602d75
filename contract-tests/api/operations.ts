import { randomUUID } from 'node:crypto';
import type { TargetField } from './target-fields.ts';

/** What the suite ever sends: nothing that deletes or replaces. */
export type Method = 'GET' | 'POST' | 'PATCH' | 'OPTIONS';

/** @param path `undefined` where the document does not show it (4.4) */
const operation = <const M extends Method, P extends string | undefined>(
  method: M,
  path: P,
  section: string,
  needs: readonly TargetField[],
  name = `${method} ${path}`,
) => ({ method, path, section, name, needs });

/** The operations of the document: everything that names or addresses one takes it from here. */
export const OPERATIONS = {
  sso: operation('POST', '/v1/auth/sso', '4.1', ['actors.admin.sso']),
  recording: operation('PATCH', '/v1/echo/recordings/{recordingId}', '4.2', ['actors.admin', 'resources.recordingId']),
  'api-keys': operation('GET', '/v1/admin/tenants/{id}/api-keys', '4.3', ['actors.admin', 'resources.tenantId']),
  scopes: operation('GET', undefined, '4.4', ['actors.admin'], 'GET of the token scopes'),
  login: operation('POST', '/v1/auth/login', '5', ['actors.admin.login']),
  pat: operation('POST', '/v1/api-tokens', '5', ['actors.admin']),
};

export type OperationId = keyof typeof OPERATIONS;
export const OPERATION_IDS = Object.keys(OPERATIONS) as OperationId[];

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
