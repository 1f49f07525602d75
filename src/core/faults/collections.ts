import { inKeys } from './bodies.ts';
import { family } from './fault.ts';
import type { Body } from './hooks.ts';
import { dropping, filtered, listed, ofEveryTenant, passes, unfiltered } from './key-lists.ts';

const unknownKey: Body = {
  id: 'key_zz',
  provider: 'strange',
  name: 'Strange',
  status: 'active',
  created_at: '2025-01-01T00:00:00.000Z',
};

/** Faults of the list of API keys and its filters. */
export const collectionFaults = family('collections', [
  [
    'providers-in-capitals',
    ['KEY-09'],
    'Providers are in upper case.',
    inKeys(({ provider }) => ({ provider: String(provider).toUpperCase() })),
  ],
  [
    'one-provider-capital',
    ['KEY-09'],
    'Only the provider of the third API key has a capital letter.',
    inKeys(({ provider }, at) =>
      at === 2 ? { provider: String(provider).replace(/^./, (first) => first.toUpperCase()) } : {},
    ),
  ],
  [
    'provider-display-names',
    ['KEY-09'],
    'Providers are display names with a space.',
    inKeys(({ provider }) => ({ provider: `${provider} inc` })),
  ],
  [
    'eighth-provider',
    ['KEY-10'],
    'There is an eighth provider.',
    listed((keys, { provider }) => (provider === undefined ? [...keys, unknownKey] : keys)),
  ],
  [
    'provider-of-its-own',
    ['KEY-10'],
    'Each API key has a different, numbered provider.',
    inKeys(({ provider }, at) => ({ provider: `${provider}-${at}` })),
  ],
  ['provider-filter-ignored', ['KEY-11', 'KEY-15'], 'The provider filter is ignored.', dropping('provider')],
  [
    'provider-filter-adds',
    ['KEY-11'],
    'The provider filter also lists an API key of another provider.',
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
    'The provider filter does not list the API key of the seventh provider.',
    listed((keys, { provider }) => keys.filter(({ id }) => provider === undefined || id !== 'key_a8')),
    { line: 'GET /v1/admin/tenants/ten_analytical/api-keys?provider=tavily' },
  ],
  ['status-filter-ignored', ['KEY-13', 'KEY-15'], 'The status filter is ignored.', dropping('status')],
  [
    'status-filter-adds',
    ['KEY-13'],
    'The status filter also lists an API key of another status.',
    filtered((key, query) => passes(key, query, 'provider') && (passes(key, query, 'status') || key.id === 'key_a2')),
  ],
  [
    'status-filter-flag',
    ['KEY-13'],
    'Filtering by any status but active lists all inactive API keys.',
    filtered(
      (key, query) =>
        passes(key, query, 'provider') &&
        (query.status === undefined || (key.status === 'active') === (query.status === 'active')),
    ),
  ],
  [
    'status-filter-skips-one',
    ['KEY-14'],
    'The status filter omits the last match.',
    listed((keys, { status }) => (status === undefined ? keys : keys.slice(0, -1))),
  ],
  [
    'status-filter-active-only',
    ['KEY-14'],
    'The status filter never lists inactive API keys.',
    listed((keys, { status }) => (status === undefined ? keys : keys.filter((key) => key.status === 'active'))),
  ],
  [
    'status-filter-in-capitals',
    ['KEY-14'],
    'The status filter accepts statuses in upper case only.',
    filtered(
      (key, query) =>
        passes(key, query, 'provider') &&
        (query.status === undefined || String(key.status).toUpperCase() === query.status),
    ),
  ],
  [
    'filters-or',
    ['KEY-15'],
    'Both filters together list API keys that match either.',
    filtered((key, query) =>
      query.provider !== undefined && query.status !== undefined
        ? passes(key, query, 'provider') || passes(key, query, 'status')
        : passes(key, query, 'provider') && passes(key, query, 'status'),
    ),
  ],
  [
    'filters-first-counts',
    ['KEY-15'],
    'The status filter is ignored if a provider is given.',
    dropping('status', ({ provider }) => provider !== undefined),
  ],
  [
    'filters-second-counts',
    ['KEY-15'],
    'The provider filter is ignored if a status is given.',
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
    'The unfiltered list is silently truncated after five API keys.',
    unfiltered((keys) => keys.slice(0, 5)),
  ],
  [
    'list-active-only',
    ['KEY-16', 'KEY-12'],
    'The unfiltered list omits inactive API keys.',
    unfiltered((keys) => keys.filter((key) => key.status === 'active')),
  ],
  [
    'list-with-unfindable',
    ['KEY-16', 'KEY-12'],
    'The unfiltered list has an API key that no filter matches.',
    unfiltered((keys) => [...keys, { ...unknownKey, provider: keys[0]?.provider }]),
  ],
  ['key-twice', ['KEY-18'], 'The first API key is listed twice.', listed((keys) => [...keys.slice(0, 1), ...keys])],
  [
    'keys-share-id',
    ['KEY-18'],
    'API keys of one provider share an id.',
    inKeys(({ provider }) => ({ id: `key-${provider}` })),
  ],
  ['keys-of-everybody', ['KEY-17'], 'The list of API keys contains those of every tenant.', ofEveryTenant],
]);
