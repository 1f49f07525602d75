import { asText, isEqual } from '../../../contract-tests/values/json.ts';
import { presentApiKey } from '../operations/present.ts';
import { inKeyList, inKeys, inMember, on } from './change.ts';
import { type Body, each, family, type Hooks } from './fault.ts';

interface Filters {
  readonly provider?: string | undefined;
  readonly status?: string | undefined;
}

type Candidate = ReturnType<typeof candidate>;

/** An API key, the filters of the request, and which of them let the key through. */
const candidate = (key: Body, query: Filters) => ({
  key,
  query,
  byProvider: query.provider === undefined || key.provider === query.provider,
  byStatus: query.status === undefined || key.status === query.status,
});

const isMatch = ({ byProvider, byStatus }: Candidate): boolean => byProvider && byStatus;
const isFiltered = ({ provider, status }: Filters): boolean => provider !== undefined || status !== undefined;
const hasBoth = ({ provider, status }: Filters): boolean => provider !== undefined && status !== undefined;

const filtered = (isListed: (candidate: Candidate) => boolean): Hooks =>
  on('listTenantApiKeys', ({ request, run }) => {
    const query: Filters = request.query;
    if (!isFiltered(query)) return undefined;
    const all = run({ query: {} }).body as Body[];
    const body = all.filter((key) => isListed(candidate(key, query)));
    return isEqual(body, run().body) ? undefined : { body };
  });

/** Hooks that change the list of API keys, as it is filtered. */
const listed = (change: (keys: Body[], query: Filters) => Body[]): Hooks =>
  inKeyList((keys, { request }) => change(keys, request.query));

const unfiltered = (change: (keys: Body[]) => Body[]): Hooks =>
  listed((keys, query) => (isFiltered(query) ? keys : change(keys)));

const ofEveryTenant = on('listTenantApiKeys', ({ world, request, run }) => {
  const tenant = request.caller?.user.tenant;
  if (tenant === undefined) return undefined;
  const others = [...world.store.apiKeys.all()].filter((key) => key.tenant !== tenant);
  const presented = others.map((key): Body => ({ ...presentApiKey(key, world.answers) }));
  const own = run({ params: { id: tenant } }).body as Body[];
  return { body: [...own, ...presented.filter((key) => isMatch(candidate(key, request.query)))] };
});

const strange = { id: 'key_zz', name: 'Strange', status: 'active', created_at: '2025-01-01T00:00:00.000Z' };
const isActive = ({ status }: Body): boolean => status === 'active';

export const collectionFaults = family('collections', {
  ...each(inMember(inKeys, 'provider'), {
    'providers-in-capitals KEY-09: Providers are in upper case.': (provider) => provider.toUpperCase(),
    'provider-of-its-own KEY-10: Each API key has a different, numbered provider.': (provider, { at }) =>
      `${provider}-${at}`,
  }),
  'keys-share-id KEY-18: API keys of one provider share an id.': inKeys(({ provider }) => ({
    id: `key-${asText(provider)}`,
  })),
  ...each(filtered, {
    'provider-filter-ignored KEY-11 KEY-15: The provider filter is ignored.': ({ byStatus }) => byStatus,
    'provider-filter-adds KEY-11: The provider filter also lists an API key of another provider.': (candidate) =>
      candidate.byStatus && (candidate.byProvider || candidate.key.id === 'key_a3'),
    'status-filter-ignored KEY-13 KEY-15: The status filter is ignored.': ({ byProvider }) => byProvider,
    'status-filter-adds KEY-13: The status filter also lists an API key of another status.': (candidate) =>
      candidate.byProvider && (candidate.byStatus || candidate.key.id === 'key_a2'),
    'filters-or KEY-15: Both filters together list API keys that match either.': ({ query, byProvider, byStatus }) =>
      hasBoth(query) ? byProvider || byStatus : byProvider && byStatus,
    'filters-first-counts KEY-15: The status filter is ignored if a provider is given.': (candidate) =>
      candidate.byProvider && (candidate.byStatus || candidate.query.provider !== undefined),
    'filters-second-counts KEY-15: The provider filter is ignored if a status is given.': (candidate) =>
      candidate.byStatus && (candidate.byProvider || candidate.query.status !== undefined),
  }),
  ...each(listed, {
    'eighth-provider KEY-10: There is an eighth provider.': (keys, { provider }) =>
      provider === undefined ? [...keys, { ...strange, provider: 'strange' }] : keys,
    'provider-filter-first-only KEY-12: The provider filter lists the first match only.': (keys, { provider }) =>
      provider === undefined ? keys : keys.slice(0, 1),
    'filters-together-empty KEY-15: Both filters together list nothing.': (keys, query) => (hasBoth(query) ? [] : keys),
    'status-filter-skips-one KEY-14: The status filter omits the last match.': (keys, { status }) =>
      status === undefined ? keys : keys.slice(0, -1),
    'status-filter-active-only KEY-14: The status filter never lists inactive API keys.': (keys, { status }) =>
      status === undefined ? keys : keys.filter(isActive),
    'web-search-never-found KEY-12: The provider filter does not list the API key of the seventh provider.': (
      keys,
      { provider },
    ) => keys.filter(({ id }) => provider === undefined || id !== 'key_a8'),
    'inactive-keys-hidden KEY-16: API keys that are not active are listed only where their status is asked for.': (
      keys,
      { status },
    ) => (status === undefined ? keys.filter(isActive) : keys),
    'key-twice KEY-18: The first API key is listed twice.': (keys) => [...keys.slice(0, 1), ...keys],
  }),
  ...each(unfiltered, {
    'list-cut KEY-16 KEY-12: The unfiltered list is silently truncated after five API keys.': (keys) =>
      keys.slice(0, 5),
    'list-with-unfindable KEY-16 KEY-12: The unfiltered list has an API key that no filter matches.': (keys) => [
      ...keys,
      { ...strange, provider: keys[0]?.provider },
    ],
  }),
  'keys-of-everybody KEY-17: The list of API keys contains those of every tenant.': ofEveryTenant,
});
