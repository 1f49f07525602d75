import { eachKey, inKeyList, inKeys, inBody as of } from './bodies.ts';
import type { FaultRow } from './fault.ts';
import { without } from './tools.ts';

const secret = 'sk-live-0123456789abcdef';

/** Faults of the shape of API keys and token scopes. */
export const listShapeFaults: readonly FaultRow[] = [
  [
    'keys-wrapped',
    ['KEY-02'],
    'The list of API keys is nested in data.',
    of('listTenantApiKeys', (data) => ({ data })),
  ],
  [
    'keys-by-id',
    ['KEY-02'],
    'The list of API keys is an object by id.',
    inKeyList((keys) => Object.fromEntries(keys.map((key) => [key.id, key]))),
  ],
  [
    'single-key-unlisted',
    ['KEY-02'],
    'A list of one API key is returned as that key, without the array.',
    inKeyList((keys) => (keys.length === 1 ? keys[0] : keys)),
  ],
  ['key-id-number', ['KEY-03'], 'The ids of API keys are numbers.', inKeys((_key, at) => ({ id: at + 1 }))],
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
    'API keys lack their status only in a list filtered by provider.',
    eachKey((key, _at, { request }) => (request.query?.provider ? without(key, 'status') : key)),
  ],
  ['key-secret-leaked', ['KEY-08'], 'Each listed API key contains its secret.', inKeys(() => ({ secret }))],
  [
    'key-secret-nested',
    ['KEY-08'],
    'Each listed API key contains its secret, deeply nested.',
    inKeys(() => ({ config: { auth: { api_key: secret } } })),
  ],
  ['key-secret-as-name', ['KEY-08'], 'The name of an API key is its secret.', inKeys(() => ({ name: secret }))],
  [
    'filtered-keys-leak',
    ['KEY-08'],
    'API keys contain their secret only in a filtered list.',
    eachKey((key, _at, { request }) => (request.query?.status ? { ...key, secret: secret } : key)),
  ],
  [
    'scopes-missing',
    ['SCO-02'],
    'The scopes response lacks the scopes.',
    of('listTokenScopes', (body) => without(body, 'scopes', 'availableScopes')),
  ],
  [
    'scopes-counted',
    ['SCO-02'],
    'The scopes response has the number of scopes instead of the scopes.',
    of('listTokenScopes', ({ scopes, ...body }) => ({ ...body, scopes: (scopes as unknown[]).length })),
  ],
  [
    'scopes-no-admin-flag',
    ['SCO-03', 'SCO-04'],
    'The scopes response lacks the administrator flag.',
    of('listTokenScopes', (body) => without(body, 'is_admin', 'isAdmin')),
  ],
  [
    'scopes-admin-null',
    ['SCO-03', 'SCO-04'],
    'The scopes response always has is_admin: null.',
    of('listTokenScopes', (body) => ({ ...body, is_admin: null })),
  ],
];
