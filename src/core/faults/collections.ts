import { family } from './fault.ts';
import type { Body } from './hooks.ts';
import { dropping, filtered, listed, ofEveryTenant, passes, unfiltered } from './key-lists.ts';
import { eachKey } from './tools.ts';

const strange: Body = {
  id: 'key_zz',
  provider: 'strange',
  name: 'Strange',
  status: 'active',
  created_at: '2025-01-01T00:00:00.000Z',
};

/** Faults of the list of API keys as a list. */
export const collectionFaults = family('collections', [
  [
    'providers-in-capitals',
    ['KEY-09'],
    'Providers are written in capitals.',
    eachKey((key) => ({ ...key, provider: String(key.provider).toUpperCase() })),
  ],
  [
    'one-provider-capital',
    ['KEY-09'],
    'Only the third API key has a provider with a capital letter.',
    eachKey((key, at) =>
      at === 2 ? { ...key, provider: String(key.provider).replace(/^./, (first) => first.toUpperCase()) } : key,
    ),
  ],
  [
    'provider-display-names',
    ['KEY-09'],
    'A provider is a name for people, with a space in it.',
    eachKey((key) => ({ ...key, provider: `${key.provider} inc` })),
  ],
  [
    'eighth-provider',
    ['KEY-10'],
    'There is an eighth provider.',
    listed((keys, { provider }) => (provider === undefined ? [...keys, strange] : keys)),
  ],
  [
    'provider-of-its-own',
    ['KEY-10'],
    'Each API key has a provider of its own, with a number.',
    eachKey((key, at) => ({ ...key, provider: `${key.provider}-${at}` })),
  ],
  ['provider-filter-ignored', ['KEY-11', 'KEY-15'], 'The provider filter is ignored.', dropping('provider')],
  [
    'provider-filter-adds',
    ['KEY-11'],
    'The provider filter lists an API key of another provider as well.',
    filtered((key, query) => passes(key, query, 'status') && (passes(key, query, 'provider') || key.id === 'key_a3')),
  ],
  [
    'provider-filter-inverted',
    ['KEY-11', 'KEY-12'],
    'The provider filter lists all other providers.',
    filtered(
      (key, query) => passes(key, query, 'status') && (query.provider === undefined || key.provider !== query.provider),
    ),
  ],
  [
    'provider-filter-first-only',
    ['KEY-12'],
    'The provider filter lists the first match only.',
    listed((keys, { provider }) => (provider === undefined ? keys : keys.slice(0, 1))),
  ],
  [
    'provider-filter-empty',
    ['KEY-12'],
    'The provider filter lists nothing.',
    listed((keys, { provider }) => (provider === undefined ? keys : [])),
  ],
  [
    'web-search-never-found',
    ['KEY-12'],
    'The provider filter lists nothing of the seventh provider.',
    listed((keys, { provider }) => keys.filter(({ id }) => provider === undefined || id !== 'key_a8')),
    { line: 'GET /v1/admin/tenants/ten_analytical/api-keys?provider=tavily' },
  ],
  ['status-filter-ignored', ['KEY-13', 'KEY-15'], 'The status filter is ignored.', dropping('status')],
  [
    'status-filter-adds',
    ['KEY-13'],
    'The status filter lists an API key of another status as well.',
    filtered((key, query) => passes(key, query, 'provider') && (passes(key, query, 'status') || key.id === 'key_a2')),
  ],
  [
    'status-filter-flag',
    ['KEY-13'],
    'Every status but active means all that are not active.',
    filtered(
      (key, query) =>
        passes(key, query, 'provider') &&
        (query.status === undefined || (key.status === 'active') === (query.status === 'active')),
    ),
  ],
  [
    'status-filter-skips-one',
    ['KEY-14'],
    'The status filter leaves the last match out.',
    listed((keys, { status }) => (status === undefined ? keys : keys.slice(0, -1))),
  ],
  [
    'status-filter-active-only',
    ['KEY-14'],
    'The status filter never lists what is not active.',
    listed((keys, { status }) => (status === undefined ? keys : keys.filter((key) => key.status === 'active'))),
  ],
  [
    'status-filter-in-capitals',
    ['KEY-14'],
    'The status filter takes statuses in capitals only.',
    filtered(
      (key, query) =>
        passes(key, query, 'provider') &&
        (query.status === undefined || String(key.status).toUpperCase() === query.status),
    ),
  ],
  [
    'filters-or',
    ['KEY-15'],
    'Both filters together list what matches either.',
    filtered((key, query) =>
      query.provider !== undefined && query.status !== undefined
        ? passes(key, query, 'provider') || passes(key, query, 'status')
        : passes(key, query, 'provider') && passes(key, query, 'status'),
    ),
  ],
  [
    'filters-first-counts',
    ['KEY-15'],
    'Beside a provider the status filter is ignored.',
    dropping('status', ({ provider }) => provider !== undefined),
  ],
  [
    'filters-second-counts',
    ['KEY-15'],
    'Beside a status the provider filter is ignored.',
    dropping('provider', ({ status }) => status !== undefined),
  ],
  [
    'filters-together-empty',
    ['KEY-15'],
    'Both filters together list nothing.',
    listed((keys, { provider, status }) => (provider !== undefined && status !== undefined ? [] : keys)),
  ],
  [
    'list-cut',
    ['KEY-16', 'KEY-12'],
    'The list without a filter ends after five API keys, and does not say so.',
    unfiltered((keys) => keys.slice(0, 5)),
  ],
  [
    'list-active-only',
    ['KEY-16', 'KEY-12'],
    'The list without a filter leaves out what is not active.',
    unfiltered((keys) => keys.filter((key) => key.status === 'active')),
  ],
  [
    'list-with-unfindable',
    ['KEY-16', 'KEY-12'],
    'The list without a filter has an API key that no filter finds.',
    unfiltered((keys) => [...keys, { ...strange, provider: keys[0]?.provider }]),
  ],
  ['key-twice', ['KEY-18'], 'The first API key is listed twice.', listed((keys) => [...keys.slice(0, 1), ...keys])],
  [
    'keys-share-id',
    ['KEY-18'],
    'API keys of one provider share an id.',
    eachKey((key) => ({ ...key, id: `key-${key.provider}` })),
  ],
  [
    'keys-of-everybody',
    ['KEY-17'],
    'The list of API keys holds those of every tenant, whatever the path says.',
    ofEveryTenant,
  ],
]);
