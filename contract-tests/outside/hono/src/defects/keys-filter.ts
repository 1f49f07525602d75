import { before, overlap } from '../advice.ts';
import { Refusal } from '../errors.ts';
import type { KeyQuery } from '../hooks.ts';
import type { ApiKey } from '../model.ts';
import { type Defect, defect } from './defect.ts';
import { says } from './says.ts';

const both = (query: KeyQuery): boolean => query.provider !== undefined && query.status !== undefined;
const unfiltered = (query: KeyQuery): KeyQuery => ({ ...query, provider: undefined, status: undefined });

/** Which keys are listed. */
export const keysFilterDefects: Defect[] = [
  defect(
    'filters-joined-by-or',
    'conditional',
    says.callerLists,
    'with both filters a key is listed that meets one of them',
    () => ({
      async listKeys(query, next) {
        const all = await next(unfiltered(query));
        if (!both(query)) return next(query);
        return all.filter((key) => key.provider === query.provider || key.status === query.status);
      },
    }),
  ),
  defect(
    'status-matched-in-part',
    'conditional',
    says.statusFilter,
    'the status filter matches parts: active lists inactive keys as well',
    () => ({
      async listKeys(query, next) {
        const { status } = query;
        if (status === undefined) return next(query);
        return (await next({ ...query, status: undefined })).filter((key) => key.status.includes(status));
      },
    }),
  ),
  defect(
    'tenant-remembered',
    'stateful',
    says.keysTenant,
    'a caller is answered the tenant of the first list asked for, whatever the path says later',
    () => {
      const first = new Map<string, string>();
      return {
        listKeys: before<'listKeys'>((query) => {
          const { id } = query.principal.user;
          if (!first.has(id)) first.set(id, query.tenantId);
          return { ...query, tenantId: first.get(id) ?? query.tenantId };
        }),
      };
    },
  ),
  defect(
    'list-cached-without-filter',
    'timed',
    says.callerLists,
    'the list of a tenant is cached for 1.5 s and answered to every filter',
    () => {
      const cache = new Map<string, { keys: ApiKey[]; until: number }>();
      return {
        async listKeys(query, next) {
          const cached = cache.get(query.tenantId);
          const keys = await next(query);
          if (cached && Date.now() < cached.until) return cached.keys;
          cache.set(query.tenantId, { keys, until: Date.now() + 1500 });
          return keys;
        },
      };
    },
  ),
  defect(
    'one-provider-refused',
    'conditional',
    says.exactProviders,
    'the web-search provider is listed but refused as a filter value',
    () => ({
      async listKeys(query, next) {
        if (query.provider === 'tavily') throw new Refusal(400, 'invalid', 'Invalid provider');
        return next(query);
      },
    }),
  ),
  defect(
    'overlap-mixes-filters',
    'concurrent',
    says.callerLists,
    'overlapping lists are all filtered by the query that came last',
    () => {
      let latest: Pick<KeyQuery, 'provider' | 'status'> = {};
      return {
        async listKeys(query, next) {
          latest = { provider: query.provider, status: query.status };
          await overlap();
          return next({ ...query, ...latest });
        },
      };
    },
  ),
];
