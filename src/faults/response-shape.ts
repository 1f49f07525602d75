import type { AnswerContext } from '../operations/behaviour.ts';
import type { OperationId } from '../spec/document.ts';
import { type FaultLine, family } from './fault.ts';
import type { Body, Hooks } from './hooks.ts';
import { eachKey, sentOf, without } from './tools.ts';

type Change = (body: Body, context: AnswerContext) => unknown;
const of = (operation: OperationId, change: Change): Hooks => ({ bodies: { [operation]: change } });
const inGrant = (change: (grant: Body) => Body): Hooks => of('ssoLogin', (grant) => ({ ...grant, ...change(grant) }));
const inUser = (change: (user: Body) => Body): Hooks =>
  inGrant(({ user }) => ({ user: { ...sentOf({ body: user }), ...change(sentOf({ body: user })) } }));
const inRecording = (change: (recording: Body) => Body): Hooks =>
  of('updateRecording', (recording) => ({ ...recording, ...change(recording) }));
const inKeys = (change: (key: Body) => Body): Hooks => eachKey((key) => ({ ...key, ...change(key) }));

const kebab = (name: string): string => name.replaceAll('_', '-');

/** A fault for each field that can be missing. */
const missing = (
  prefix: string,
  what: string,
  fields: Record<string, string>,
  drop: (name: string) => Hooks,
): FaultLine[] =>
  Object.entries(fields).map(([name, requirement]) => [
    `${prefix}-no-${kebab(name)}`,
    [requirement],
    `${what} lacks ${name}.`,
    drop(name),
  ]);

const missingFields: FaultLine[] = [
  ...missing(
    'sso',
    "The SSO login's answer",
    { access_token: 'SSO-03', refresh_token: 'SSO-05', token_type: 'SSO-06', expires_in: 'SSO-07', user: 'SSO-09' },
    (name) => of('ssoLogin', (grant) => without(grant, name)),
  ),
  ...missing(
    'user',
    'The user who signed in',
    { id: 'SSO-10', email: 'SSO-11', username: 'SSO-12', confirmed: 'SSO-13', created_at: 'SSO-14' },
    (name) => of('ssoLogin', (grant) => ({ ...grant, user: without(sentOf({ body: grant.user }), name) })),
  ),
  ...missing(
    'recording',
    'The updated recording',
    {
      id: 'REC-10',
      title: 'REC-11',
      filename: 'REC-12',
      status: 'REC-13',
      method: 'REC-14',
      quality: 'REC-15',
      language: 'REC-16',
      diarization_enabled: 'REC-17',
      user_id: 'REC-18',
      created_at: 'REC-19',
      updated_at: 'REC-20',
    },
    (name) => of('updateRecording', (recording) => without(recording, name)),
  ),
  ...missing(
    'key',
    'A listed API key',
    { id: 'KEY-03', provider: 'KEY-04', name: 'KEY-05', status: 'KEY-06', created_at: 'KEY-07' },
    (name) => eachKey((key) => without(key, name)),
  ),
];

const wrongValues: FaultLine[] = [
  [
    'sso-access-token-empty',
    ['SSO-03'],
    'The SSO login answers an empty access_token.',
    inGrant(() => ({ access_token: '' })),
  ],
  [
    'sso-refresh-token-null',
    ['SSO-05'],
    'The SSO login answers refresh_token null.',
    inGrant(() => ({ refresh_token: null })),
  ],
  [
    'sso-refresh-token-object',
    ['SSO-05'],
    'The SSO login answers refresh_token as an object.',
    inGrant(({ refresh_token }) => ({ refresh_token: { token: refresh_token } })),
  ],
  [
    'sso-token-type-capital',
    ['SSO-06'],
    'The SSO login answers token_type Bearer instead of bearer.',
    inGrant(() => ({ token_type: 'Bearer' })),
  ],
  ['sso-token-type-jwt', ['SSO-06'], 'The SSO login answers token_type jwt.', inGrant(() => ({ token_type: 'jwt' }))],
  [
    'sso-expires-in-text',
    ['SSO-07'],
    'The SSO login answers expires_in as a string.',
    inGrant(({ expires_in }) => ({ expires_in: String(expires_in) })),
  ],
  [
    'sso-expires-in-fraction',
    ['SSO-07'],
    'The SSO login answers expires_in with a fraction.',
    inGrant(({ expires_in }) => ({ expires_in: Number(expires_in) - 0.25 })),
  ],
  [
    'sso-user-id-only',
    ['SSO-09'],
    "The SSO login answers the user's id in place of the user.",
    inGrant(({ user }) => ({ user: sentOf({ body: user }).id })),
  ],
  [
    'sso-user-list',
    ['SSO-09'],
    'The SSO login answers a list with the user in it.',
    inGrant(({ user }) => ({ user: [user] })),
  ],
  ['user-id-number', ['SSO-10'], "The user's id is a number.", inUser(() => ({ id: 1815 }))],
  ['user-email-name', ['SSO-11'], "The user's email is a name.", inUser(({ username }) => ({ email: username }))],
  ['user-username-null', ['SSO-12'], "The user's username is null.", inUser(() => ({ username: null }))],
  [
    'user-confirmed-text',
    ['SSO-13'],
    "The user's confirmed is a string.",
    inUser(({ confirmed }) => ({ confirmed: String(confirmed) })),
  ],
  [
    'user-confirmed-number',
    ['SSO-13'],
    "The user's confirmed is 1 or 0.",
    inUser(({ confirmed }) => ({ confirmed: Number(confirmed) })),
  ],
  ['update-empty-object', ['REC-07'], 'An update answers {}.', of('updateRecording', () => ({}))],
  [
    'update-message-only',
    ['REC-07'],
    'An update answers a message in place of the recording.',
    of('updateRecording', () => ({ message: 'updated' })),
  ],
  [
    'update-wrapped',
    ['REC-07'],
    'An update answers the recording inside data.',
    of('updateRecording', (data) => ({ data })),
  ],
  [
    'update-in-list',
    ['REC-07'],
    'An update answers a list with the recording in it.',
    of('updateRecording', (recording) => [recording]),
  ],
  [
    'update-json-twice',
    ['REC-07'],
    'An update answers the recording as JSON inside a JSON string.',
    of('updateRecording', (recording) => JSON.stringify(recording)),
  ],
  [
    'update-sent-fields-only',
    ['REC-07', 'REC-10'],
    'An update answers only id and what was sent.',
    of('updateRecording', ({ id }, { request }) => ({ id, ...sentOf(request) })),
  ],
  ['recording-id-number', ['REC-10'], "The recording's id is a number.", inRecording(() => ({ id: 42 }))],
  [
    'recording-title-object',
    ['REC-11'],
    "The recording's title is an object by language.",
    inRecording(({ title }) => ({ title: { en: title } })),
  ],
  ['recording-filename-null', ['REC-12'], "The recording's filename is null.", inRecording(() => ({ filename: null }))],
  [
    'recording-status-capitals',
    ['REC-13'],
    "The recording's status is written in capitals.",
    inRecording(({ status }) => ({ status: String(status).toUpperCase() })),
  ],
  [
    'recording-status-done',
    ['REC-13'],
    "The recording's status has a fifth value, done.",
    inRecording(() => ({ status: 'done' })),
  ],
  ['recording-method-null', ['REC-14'], "The recording's method is null.", inRecording(() => ({ method: null }))],
  ['recording-quality-number', ['REC-15'], "The recording's quality is a number.", inRecording(() => ({ quality: 3 }))],
  [
    'recording-language-list',
    ['REC-16'],
    "The recording's language is a list.",
    inRecording(({ language }) => ({ language: [language] })),
  ],
  [
    'language-null-after-analysis',
    ['REC-16'],
    "The recording's language is null, only in the answer to an analysis.",
    of('updateRecording', (body, { request }) => ('analysis' in sentOf(request) ? { ...body, language: null } : body)),
  ],
  [
    'recording-diarization-text',
    ['REC-17'],
    'diarization_enabled is a string.',
    inRecording((body) => ({ diarization_enabled: String(body.diarization_enabled) })),
  ],
  [
    'recording-user-object',
    ['REC-18'],
    'user_id is an object.',
    inRecording(({ user_id }) => ({ user_id: { id: user_id } })),
  ],
  [
    'recording-camel-case',
    ['REC-17', 'REC-18', 'REC-19', 'REC-20'],
    'The recording has its fields in camel case.',
    of('updateRecording', ({ diarization_enabled, user_id, created_at, updated_at, ...body }) => ({
      ...body,
      diarizationEnabled: diarization_enabled,
      userId: user_id,
      createdAt: created_at,
      updatedAt: updated_at,
    })),
  ],
  ['keys-wrapped', ['KEY-02'], 'The list of API keys is inside data.', of('listTenantApiKeys', (data) => ({ data }))],
  [
    'keys-by-id',
    ['KEY-02'],
    'The list of API keys is an object, by id.',
    of('listTenantApiKeys', (keys) => Object.fromEntries((keys as unknown as Body[]).map((key) => [key.id, key]))),
  ],
  [
    'single-key-unlisted',
    ['KEY-02'],
    'A list of one API key is answered as that key, without the array.',
    of('listTenantApiKeys', (keys) => (keys.length === 1 ? (keys as unknown as Body[])[0] : keys)),
  ],
  ['key-id-number', ['KEY-03'], 'API keys are numbered.', eachKey((key, at) => ({ ...key, id: at + 1 }))],
  [
    'key-provider-object',
    ['KEY-04'],
    'The provider of an API key is an object.',
    inKeys(({ provider }) => ({ provider: { id: provider } })),
  ],
  ['key-name-null', ['KEY-05'], 'The name of an API key is null.', inKeys(() => ({ name: null }))],
  [
    'last-key-nameless',
    ['KEY-05'],
    'Only the last API key of the list lacks its name.',
    eachKey((key, at) => (at === 7 ? without(key, 'name') : key)),
  ],
  [
    'key-status-flag',
    ['KEY-06'],
    'The status of an API key is a boolean.',
    inKeys(({ status }) => ({ status: status === 'active' })),
  ],
  [
    'filtered-keys-short',
    ['KEY-06'],
    'API keys lack their status, only in a list filtered by provider.',
    eachKey((key, _at, { request }) => (request.query?.provider ? without(key, 'status') : key)),
  ],
  [
    'key-secret-leaked',
    ['KEY-08'],
    'Each listed API key carries its secret.',
    inKeys(() => ({ secret: 'sk-live-0123456789abcdef' })),
  ],
  [
    'key-secret-nested',
    ['KEY-08'],
    'Each listed API key carries its secret, deep inside.',
    inKeys(() => ({ config: { auth: { api_key: 'sk-live-0123456789abcdef' } } })),
  ],
  [
    'key-secret-as-name',
    ['KEY-08'],
    'An API key is named by its secret.',
    inKeys(() => ({ name: 'sk-live-0123456789abcdef' })),
  ],
  [
    'filtered-keys-leak',
    ['KEY-08'],
    'API keys carry their secret, only in a filtered list.',
    eachKey((key, _at, { request }) => (request.query?.status ? { ...key, secret: 'sk-live-0123456789abcdef' } : key)),
  ],
  [
    'scopes-missing',
    ['SCO-02'],
    'The scopes answer lacks the scopes.',
    of('listTokenScopes', (body) => without(body, 'scopes', 'availableScopes')),
  ],
  [
    'scopes-counted',
    ['SCO-02'],
    'The scopes answer has the number of scopes in their place.',
    of('listTokenScopes', ({ scopes, ...body }) => ({ ...body, scopes: (scopes as unknown[]).length })),
  ],
  [
    'scopes-no-admin-flag',
    ['SCO-03', 'SCO-04'],
    'The scopes answer does not say whether the caller is an administrator.',
    of('listTokenScopes', (body) => without(body, 'is_admin', 'isAdmin')),
  ],
  [
    'scopes-admin-null',
    ['SCO-03', 'SCO-04'],
    'The scopes answer says is_admin: null of everybody.',
    of('listTokenScopes', (body) => ({ ...body, is_admin: null })),
  ],
];

/** Faults of the shape of successful answers. */
export const responseShapeFaults = family('response shape', [...missingFields, ...wrongValues]);
