/** Sentences and table rows of the document, word for word, with the section (and what it is about). */
export interface Says {
  section: string;
  statement: string;
}

const say = (section: string, statement: string): Says => ({ section, statement });

export const says = {
  json: say('preamble', 'Requests and responses are JSON.'),
  callerUpdates: say(
    '1 update',
    'Lets an authenticated caller update a recording record (title, knowledge-base links, summary, analysis).',
  ),
  callerLists: say(
    '1 key list',
    'Lets an authorised caller list the provider API keys stored for a tenant, optionally filtered.',
  ),
  callerScopes: say(
    '1 scopes',
    'Lets an authenticated caller list the token scopes available to them and learn whether they are an administrator.',
  ),

  userEmail: say('2 User', '| email | string | e-mail address, <EMAIL> |'),
  userCreatedAt: say('2 User', '| created_at | string, date-time | ISO 8601 timestamp |'),

  status: say('2 Recording', '| status | string enum | pending, processing, completed, failed |'),
  method: say('2 Recording', '| method | string | |'),
  diarization: say('2 Recording', '| diarization_enabled | boolean | |'),
  owner: say('2 Recording', '| user_id | string | owner |'),
  updatedAt: say('2 Recording', '| updated_at | string, date-time | |'),
  writable: say(
    '2 Recording',
    'Fields writable through the update operation, and only those: title (string), kb_folder_id (string), kb_document_id (string), summary (string, AI-generated summary text), analysis (object holding analysis results such as key topics and action items).',
  ),
  noSecret: say('2 Tenant API key', 'the secret itself is not part of the listed record'),
  exactProviders: say(
    '2 Tenant API key',
    'The exact identifiers are used as the provider filter value and as the provider field value.',
  ),

  noStatusInput: say('3', 'No operation shown sets status; the update operation has no status input.'),

  ssoWithoutHeader: say('4.1', 'No Authorization header is used.'),
  ssoClaims: say('4.1', 'authenticate via single sign-on using identity-provider claims.'),
  accessToken: say('4.1', '| access_token | string | JWT access token, used for API requests |'),
  refreshToken: say('4.1', '| refresh_token | string | used to obtain a new access token |'),
  tokenType: say('4.1', '| token_type | string | the value bearer |'),
  expiresIn: say('4.1', '| expires_in | integer | access token lifetime in seconds |'),
  user: say('4.1', '| user | object | User record as in part 2 |'),

  updateBody: say('4.2', 'any of title, kb_folder_id, kb_document_id, summary (strings) and analysis (object).'),
  updateAnswer: say(
    '4.2',
    'the Recording record of part 2 (id, title, filename, status, method, quality, language, diarization_enabled, user_id, created_at, updated_at).',
  ),
  updateHeaders: say('4.2', 'Authorization: Bearer <ACCESS_TOKEN or PAT>; Content-Type: application/json.'),

  keysTenant: say('4.3', 'Path parameter: id, string, required, the tenant identifier.'),
  keysHeader: say('4.3', 'Header: Authorization: Bearer <ACCESS_TOKEN or PAT>.'),
  statusFilter: say('4.3', '| status | string | filter by status |'),
  keysAnswer: say('4.3', 'a JSON array of Tenant API key records (id, provider, name, status, created_at).'),

  scopesPurpose: say(
    '4.4',
    'returns the scopes available to the authenticated user and whether that user is an administrator.',
  ),

  header: say('5', 'Protected operations take the header Authorization: Bearer <token>.'),
  twoTypes: say('5', 'Two token types are accepted'),
  jwtObtained: say(
    '5',
    'JWT access token, obtained through POST /v1/auth/login, or through the SSO login of 4.1, which returns access_token with token_type bearer and a lifetime in expires_in seconds.',
  ),
  patForm: say(
    '5',
    'Personal access token (PAT), created through POST /v1/api-tokens, of the form <token_prefix>_<tokenId>.<secret>.',
  ),
} as const;
