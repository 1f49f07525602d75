// Generated from spec/ by `npm run generate`. Do not edit.

import type { ErrorShape, Json, Shape } from './json.ts';

/** An answer to every gap. */
export interface GapAnswers {
  /** Which of the claims oid, tid and upn does an SSO login require? (4.1) */
  readonly 'sso-required-claims': readonly ('oid' | 'tid' | 'upn')[];
  /** What happens at an SSO login with an unknown identity? (4.1) */
  readonly 'sso-unknown-identity': 'refuse' | 'forbid' | 'provision';
  /** Can an unconfirmed user sign in? (7) */
  readonly 'unconfirmed-sign-in': 'allow' | 'refuse';
  /** Which fields does POST /v1/auth/login accept? (5) */
  readonly 'login-request': 'email-password' | 'username-password' | Shape;
  /** What does POST /v1/auth/login return? (5) */
  readonly 'login-response': 'as-sso' | 'token-only' | Shape;
  /** At which path is a refresh token exchanged? (5) */
  readonly 'refresh-path': string;
  /** How is a refresh token sent when it is exchanged? (5) */
  readonly 'refresh-request': 'snake-body' | 'camel-body' | 'bearer-header' | Shape;
  /** What does the exchange of a refresh token return? (5) */
  readonly 'refresh-response': 'tokens' | 'as-sso' | Shape;
  /** Is a refresh token rotated when it is used? (5) */
  readonly 'refresh-rotation': 'rotate' | 'reuse';
  /** What is the lifetime of a refresh token in seconds? (5) */
  readonly 'refresh-lifetime': number;
  /** What is the lifetime of an access token in seconds? (8) */
  readonly 'access-token-lifetime': number;
  /** Which fields does POST /v1/api-tokens require? (5) */
  readonly 'pat-create-request': 'name' | 'name-and-scopes' | 'none' | Shape;
  /** What does POST /v1/api-tokens return? (5) */
  readonly 'pat-create-response': 'token-field' | 'key-field' | 'nested' | Shape;
  /** What is the token_prefix of a PAT? (5) */
  readonly 'pat-prefix': string;
  /** After how many seconds does a PAT expire? (0: never) (5) */
  readonly 'pat-lifetime': number;
  /** At which path are the token scopes listed? (4.4) */
  readonly 'scopes-path': string;
  /** What shape does the scopes response have? (4.4) */
  readonly 'scopes-response': 'names' | 'records' | 'camel' | Shape;
  /** Which scopes exist? (those that start with admin: are available to administrators only) (4.4) */
  readonly 'scope-values': readonly string[];
  /** Which values does a recording's method have? (2) */
  readonly 'method-values': readonly string[];
  /** Which values does a recording's quality have? (2) */
  readonly 'quality-values': readonly string[];
  /** Which values does a recording's language have? (2) */
  readonly 'language-values': readonly string[];
  /** How does a recording's status change during processing? (3) */
  readonly 'status-transitions': 'forward' | 'retry';
  /** What happens to an update without any field? (4.2) */
  readonly 'empty-update': 'accept' | 'unchanged' | 'refuse';
  /** What happens to an update with a read-only or unknown field? (7) */
  readonly 'unknown-field': 'ignore' | 'refuse';
  /** What happens to a number sent as title? (7) */
  readonly 'wrong-type': 'refuse' | 'coerce';
  /** What happens to null sent as summary? (7) */
  readonly 'null-field': 'refuse' | 'clear' | 'ignore';
  /** What can analysis contain? (4.2) */
  readonly 'analysis-structure': 'any-object' | 'known-keys';
  /** Which status does the update of an unknown recording get? (7) */
  readonly 'unknown-recording-status': 404 | 403 | 400;
  /** What happens to the update of another user's recording of the same tenant? (7) */
  readonly 'foreign-recording': 'forbid' | 'hide' | 'allow';
  /** What are the seven provider identifiers? (2) */
  readonly 'provider-values': readonly string[];
  /** Which values does the status of an API key have? (2) */
  readonly 'key-status-values': readonly string[];
  /** What happens to a provider filter with another value than the seven identifiers? (7) */
  readonly 'unknown-provider-filter': 'refuse' | 'empty';
  /** Who can list a tenant's API keys? (5) */
  readonly 'admin-access': 'administrators' | 'members';
  /** What happens to a request for an unknown tenant? (7) */
  readonly 'unknown-tenant': 'not-found' | 'forbidden' | 'empty';
  /** What happens to an administrator's request for another tenant? (7) */
  readonly 'foreign-tenant': 'forbidden' | 'not-found' | 'visible';
  /** Is the list of API keys paginated? (8) */
  readonly 'pagination': 'none' | 'limit-offset';
  /** What shape does an error body have? (7) */
  readonly 'error-body': 'error-object' | 'problem' | 'detail' | 'message' | 'errors-list' | ErrorShape;
  /** How are error codes written, if the body has one? (7) */
  readonly 'error-codes': 'snake' | 'upper-snake' | Readonly<Record<string, string>>;
  /** Which error does an invalid request without credentials get? (7) */
  readonly 'error-precedence': 'credentials' | 'validation';
  /** Which status do missing credentials get? (7) */
  readonly 'missing-credentials-status': 401 | 403;
  /** Which status do invalid credentials get? (7) */
  readonly 'invalid-credentials-status': 401 | 403;
  /** Which status does a caller without permission get? (7) */
  readonly 'forbidden-status': 403 | 404 | 401;
  /** Which status does an invalid body or query get? (7) */
  readonly 'validation-status': 400 | 422;
  /** Which status does a malformed JSON body get? (7) */
  readonly 'malformed-json-status': 400 | 422;
  /** Which status does a body of another media type get? (7) */
  readonly 'media-type-status': string;
  /** Which status does an unsupported method get? (7) */
  readonly 'method-status': 405 | 404;
  /** What happens to a request with OPTIONS (other than a browser's preflight)? (4) */
  readonly 'options-requests': 'allow' | 'refuse';
  /** What happens to a request without the body that it must have? (4) */
  readonly 'missing-body': 'validation' | 'media-type';
  /** Which status does an unknown path get? (7) */
  readonly 'unknown-path-status': 404 | 403;
  /** What happens to an unknown query parameter? (4.4) */
  readonly 'unknown-query': 'ignore' | 'refuse';
  /** Which 2xx status does a success have? (4) */
  readonly 'success-codes': 'creation-201' | 'always-200' | 'post-201' | Readonly<Record<string, number>>;
  /** What is the format of a date-time? (2) */
  readonly 'timestamp-form': 'z-millis' | 'offset-micros' | { readonly digits: number; readonly offset: string };
  /** Do records have fields beyond those shown? (2) */
  readonly 'extra-fields': 'none' | 'some' | Readonly<Record<string, Readonly<Record<string, Json>>>>;
  /** How many requests per minute can a caller make? (0: no limit) (8) */
  readonly 'rate-limit': number;
  /** What is the maximum size of a request body in bytes? (8) */
  readonly 'body-size-limit': number;
  /** Does the service send events, webhooks or notifications? (6) */
  readonly 'events': 'none';
  /** How are versions after /v1 introduced and retired? (9) */
  readonly 'version-policy': 'v1-only';
  /** What else can the service do? (1) */
  readonly 'other-capabilities': 'none';
}

/** The id of a gap. */
export type GapId = keyof GapAnswers;

export type ErrorKind =
  | 'malformed-json'
  | 'media-type'
  | 'validation'
  | 'missing-credentials'
  | 'invalid-credentials'
  | 'forbidden'
  | 'unknown-recording'
  | 'foreign-recording'
  | 'unknown-tenant'
  | 'foreign-tenant'
  | 'too-large'
  | 'rate-limited'
  | 'unknown-path'
  | 'method'
  | 'internal';
