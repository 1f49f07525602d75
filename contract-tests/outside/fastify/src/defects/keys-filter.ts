import type { Context } from '../hooks.ts';
import type { ApiKey } from '../model.ts';
import { pause } from '../pause.ts';
import { keyBody } from '../present.ts';
import { defect } from './row.ts';
import * as says from './statements.ts';

function tenantKeys({ world, caller }: Context): ApiKey[] {
  return world.store.keysOf(caller?.user.tenantId ?? '');
}

export const keysFilterDefects = [
  defect('unknown-status-lists-all', 'conditional', says.STATUS_FILTER, 'A status no key has is taken for no filter', {
    keyRows: (rows, context) =>
      rows.length === 0 && context.filter?.status !== undefined ? tenantKeys(context) : rows,
  }),
  defect(
    'provider-filter-stops-at-inactive',
    'conditional',
    says.PROVIDER_FILTER,
    'The provider filter leaves out keys that are not active',
    {
      keyRows: (rows, { filter }) =>
        filter?.provider !== undefined && filter.status === undefined
          ? rows.filter((key) => key.status === 'active')
          : rows,
    },
  ),
  defect(
    'filter-sticks-to-session',
    'stateful',
    says.FILTERS_OPTIONAL,
    'A list asked for without filter uses the filter of the same token before',
    {
      keyFilter(filter, { world, caller }) {
        const key = `filter:${caller?.tokenId}`;
        const empty = filter.provider === undefined && filter.status === undefined;
        return empty ? (world.memory.get<typeof filter>(key) ?? filter) : world.memory.set(key, filter);
      },
    },
  ),
  defect(
    'overlapping-lists-mix-filters',
    'concurrent',
    says.PROVIDER_FILTER,
    'Overlapping lists all use the filter that came last',
    {
      async keyFilter(filter, { world }) {
        world.memory.set('filter', filter);
        await pause(60);
        return world.memory.get<typeof filter>('filter') ?? filter;
      },
    },
  ),
  defect(
    'status-filter-crosses-tenants',
    'conditional',
    says.TENANT_ID,
    'With a status filter, keys of other tenants are listed too',
    {
      keyRows: (rows, { world, filter }) =>
        filter?.status === undefined
          ? rows
          : [...world.store.apiKeys.values()].filter(
              (key) => key.status === filter.status && (!filter.provider || key.provider === filter.provider),
            ),
    },
  ),
  defect(
    'tenant-id-ignored-by-pat',
    'conditional',
    says.TENANT_ID,
    'Asked with a PAT, the list holds the keys of all tenants',
    {
      keyBodies: (bodies, { world, caller }) =>
        caller?.via === 'pat' ? [...world.store.apiKeys.values()].map((key) => keyBody(key, world)) : bodies,
    },
  ),
];
