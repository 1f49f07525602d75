import type { PhaseName } from './phases.ts';
import type { TargetField } from './target-fields.ts';

/** Methods that change nothing (RFC 9110, 9.2.1). */
const SAFE = ['GET', 'HEAD', 'OPTIONS'] as const;
/** What is ever sent; by the suite itself, nothing that deletes or replaces. */
const METHODS = [...SAFE, 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

const has = (methods: readonly string[], method: string): boolean => methods.includes(method);
export const isMethod = (method: string): method is Method => has(METHODS, method);
export const isSafe = (method: string): boolean => has(SAFE, method);

interface Row {
  /** In spec/openapi.yaml. */
  readonly id: string;
  readonly method: Method;
  /** `undefined` where the document does not show it (4.4). */
  readonly path: string | undefined;
  /** The field of the target file by which somebody is let in. */
  readonly signer: TargetField;
  /** What the path addresses: the field of the target file that names it, and a second one. */
  readonly resource?: { readonly own: ResourceField; readonly other: ResourceField };
  /** How the ids of rules about its answers begin, where not by its own name. */
  readonly prefix?: string;
  /** The phases that send it. */
  readonly askedIn: readonly PhaseName[];
  /** The rule that reports that the operation never succeeds, and what to look at then. */
  readonly reportedBy: string;
  readonly hint: string;
  /** Hands out tokens to whom it lets in. */
  readonly isSignIn?: true;
  /** The document shows its path, and leaves its body open. */
  readonly isBodyOpen?: true;
  /** Takes an access token or a PAT. */
  readonly isProtected?: true;
}

type ResourceField = Extract<TargetField, `resources.${string}`>;

const operation = <const R extends Row>(row: R) => ({
  ...row,
  name: `${row.method} ${row.path ?? 'of the token scopes'}`,
  /** What the target file must give for any request. */
  needs: [row.signer, ...(row.resource ? [row.resource.own] : [])] as readonly TargetField[],
});

/** The operations of the document: everything that names or addresses one takes it from here. */
export const OPERATIONS = {
  sso: operation({
    id: 'ssoLogin',
    method: 'POST',
    path: '/v1/auth/sso',
    isSignIn: true,
    signer: 'actors.admin.sso',
    askedIn: ['others', 'strangers'],
    reportedBy: 'sso-claims-accepted',
    hint: 'Check that actors.admin.sso names an identity that the target knows.',
  }),
  'api-keys': operation({
    id: 'listTenantApiKeys',
    method: 'GET',
    path: '/v1/admin/tenants/{id}/api-keys',
    signer: 'actors.admin',
    resource: { own: 'resources.tenantId', other: 'resources.otherTenantId' },
    prefix: 'keys',
    askedIn: ['others', 'lists'],
    reportedBy: 'keys-list',
    hint: 'Check that actors.admin may list the API keys of resources.tenantId.',
    isProtected: true,
  }),
  scopes: operation({
    id: 'listTokenScopes',
    method: 'GET',
    path: undefined,
    signer: 'actors.admin',
    askedIn: ['scopes', 'others'],
    reportedBy: 'scopes-answered',
    hint: 'Check answers.scopes-path in the profile.',
    isProtected: true,
  }),
  recording: operation({
    id: 'updateRecording',
    method: 'PATCH',
    path: '/v1/echo/recordings/{recordingId}',
    signer: 'actors.admin',
    resource: { own: 'resources.recordingId', other: 'resources.otherRecordingId' },
    askedIn: ['updates'],
    reportedBy: 'recording-update-summary',
    hint: 'Check that actors.admin may update resources.recordingId.',
    isProtected: true,
  }),
  login: operation({
    id: 'login',
    method: 'POST',
    path: '/v1/auth/login',
    isSignIn: true,
    isBodyOpen: true,
    signer: 'actors.admin.login',
    askedIn: ['scopes'],
    reportedBy: 'login-jwt',
    hint: 'Check the fields of actors.admin.login: its body is not documented.',
  }),
  pat: operation({
    id: 'createApiToken',
    method: 'POST',
    path: '/v1/api-tokens',
    isBodyOpen: true,
    signer: 'actors.admin',
    askedIn: ['scopes'],
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

/** How the ids of rules about an operation's answers begin. */
export const prefixOf = (id: OperationId): string => ({ prefix: undefined, ...OPERATIONS[id] }).prefix ?? id;

export const SSO_PATH: string = OPERATIONS.sso.path;
export const PAT_CREATION_PATH: string = OPERATIONS.pat.path;

const withId = (template: string, id: string): string => template.replace(/\{\w+\}/, () => encodeURIComponent(id));

/** The path of an operation, to its resource of this id where it has one. */
export const pathTo = (operation: OperationId, id: string): string | undefined => {
  const { path } = OPERATIONS[operation];
  return path === undefined ? undefined : withId(path, id);
};

/** What the path of an operation addresses, as members of the target file's `resources`; undefined of one that addresses nothing. */
export function resourceOf(operation: OperationId): { own: string; other: string } | undefined {
  const row = OPERATIONS[operation];
  if (!('resource' in row)) return undefined;
  const { own, other } = row.resource;
  return { own: own.slice('resources.'.length), other: other.slice('resources.'.length) };
}

/** Whether it hands out tokens to whom it lets in. */
export const isSignIn = (id: OperationId | undefined): id is 'sso' | 'login' =>
  id !== undefined && 'isSignIn' in OPERATIONS[id];

/** Whether it may change what the target holds for good. */
export const isUpdate = (id: OperationId | undefined): boolean => id !== undefined && OPERATIONS[id].method === 'PATCH';

export const recordingPath = (recordingId: string): string => withId(OPERATIONS.recording.path, recordingId);

export const apiKeysPath = (tenantId: string): string => withId(OPERATIONS['api-keys'].path, tenantId);

export const isPathOf = (operation: OperationId, path: string): boolean =>
  new RegExp(`^${OPERATIONS[operation].path?.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);

export const PAT_NAME = 'platform-mock contract run';

/** How identifiers start that the suite makes up: UUIDs, as every usual format of identifiers accepts them. */
const MADE_UP = '00000000-0000-4000-8000-';
/** An identifier that nothing has, another one at each call. */
export const madeUpId = (): string => MADE_UP + crypto.randomUUID().slice(-12);
export const isMadeUp = (id: string | undefined): boolean => id?.startsWith(MADE_UP) === true;

/** An identifier of the most usual format. A target that looks it up, or has another format, refuses it. */
export const SAMPLE_ID = '7d0d4a52-5f2c-4b1e-9c1d-0e6f8a3b2c4d';
