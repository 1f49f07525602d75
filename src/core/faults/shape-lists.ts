import type { FaultLine } from './fault.ts';
import type { Body, Hooks } from './hooks.ts';
import { eachKey, inBody as of, without } from './tools.ts';

const inKeys = (change: (key: Body) => Body): Hooks => eachKey((key) => ({ ...key, ...change(key) }));

/** Faults of the shape of the lists: API keys and token scopes. */
export const listShapeFaults: readonly FaultLine[] = [
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
