/** Sentences of the document, word for word, with the section (and what it is about). */
export type Statement = readonly [section: string, statement: string];

export const JSON_ONLY: Statement = ['preamble', 'Requests and responses are JSON.'];

export const UPDATES: Statement = [
  '1 update',
  'Lets an authenticated caller update a recording record (title, knowledge-base links, summary, analysis).',
];
export const LISTS_KEYS: Statement = [
  '1 key list',
  'Lets an authorised caller list the provider API keys stored for a tenant, optionally filtered.',
];
export const LISTS_SCOPES: Statement = [
  '1 scopes',
  'Lets an authenticated caller list the token scopes available to them and learn whether they are an administrator.',
];

export const USER_CREATED: Statement = ['2 User', '| created_at | string, date-time | ISO 8601 timestamp |'];

export const TITLE: Statement = ['2 Recording', '| title | string | |'];
export const FILENAME: Statement = ['2 Recording', '| filename | string | |'];
export const QUALITY: Statement = ['2 Recording', '| quality | string | |'];
export const OWNER: Statement = ['2 Recording', '| user_id | string | owner |'];
export const CREATED_AT: Statement = ['2 Recording', '| created_at | string, date-time | |'];
export const WRITABLE: Statement = [
  '2 Recording',
  'Fields writable through the update operation, and only those: title (string), kb_folder_id (string), kb_document_id (string), summary (string, AI-generated summary text), analysis (object holding analysis results such as key topics and action items).',
];

export const SEVEN_PROVIDERS: Statement = [
  '2 Tenant API key',
  'The provider enumeration has seven values, all lower-case identifiers of external AI or search providers',
];

export const NO_STATUS_INPUT: Statement = [
  '3',
  'No operation shown sets status; the update operation has no status input.',
];

export const NO_AUTHORIZATION: Statement = ['4.1', 'No Authorization header is used.'];
export const SSO_PURPOSE: Statement = [
  '4.1',
  'Purpose: authenticate via single sign-on using identity-provider claims.',
];
export const OID: Statement = ['4.1', '| oid | string | directory object identifier of the user |'];
export const ACCESS_TOKEN: Statement = ['4.1', '| access_token | string | JWT access token, used for API requests |'];
export const REFRESH_TOKEN: Statement = ['4.1', '| refresh_token | string | used to obtain a new access token |'];
export const TOKEN_TYPE: Statement = ['4.1', '| token_type | string | the value bearer |'];
export const EXPIRES_IN: Statement = ['4.1', '| expires_in | integer | access token lifetime in seconds |'];

export const RECORDING_ID: Statement = ['4.2', 'Path parameter: recordingId, string, required.'];
export const EITHER_TOKEN_UPDATE: Statement = [
  '4.2',
  'Headers: Authorization: Bearer <ACCESS_TOKEN or PAT>; Content-Type: application/json.',
];
export const ANY_OF: Statement = [
  '4.2',
  'Body (JSON): any of title, kb_folder_id, kb_document_id, summary (strings) and analysis (object).',
];
export const UPDATED_RECORD: Statement = [
  '4.2',
  'Success response (meaning: recording updated): the Recording record of part 2 (id, title, filename, status, method, quality, language, diarization_enabled, user_id, created_at, updated_at).',
];

export const TENANT_ID: Statement = ['4.3', 'Path parameter: id, string, required, the tenant identifier.'];
export const PROVIDER_FILTER: Statement = [
  '4.3',
  '| provider | string enum (the seven provider identifiers) | filter by provider |',
];
export const STATUS_FILTER: Statement = ['4.3', '| status | string | filter by status |'];
export const FILTERS_OPTIONAL: Statement = ['4.3', 'Query parameters, both optional:'];
export const KEY_ARRAY: Statement = [
  '4.3',
  'Success response (meaning: list of API keys): a JSON array of Tenant API key records (id, provider, name, status, created_at).',
];

export const SCOPES_PURPOSE: Statement = [
  '4.4',
  'Purpose: returns the scopes available to the authenticated user and whether that user is an administrator.',
];

export const PROTECTED: Statement = ['5', 'Protected operations take the header Authorization: Bearer <token>.'];
export const TWO_TYPES: Statement = ['5', 'Two token types are accepted:'];
export const JWT_SOURCES: Statement = [
  '5',
  'JWT access token, obtained through POST /v1/auth/login, or through the SSO login of 4.1, which returns access_token with token_type bearer and a lifetime in expires_in seconds.',
];
export const PAT_FORM: Statement = [
  '5',
  'Personal access token (PAT), created through POST /v1/api-tokens, of the form <token_prefix>_<tokenId>.<secret>.',
];
