import type { OperationRequest } from '../operations/operation.ts';
import { inKeyList } from './bodies.ts';
import type { Body, Hooks } from './hooks.ts';

/** The filters of a request for API keys. */
export type Query = Readonly<Record<string, string | undefined>>;

/** Hooks that change the filtered list of API keys. */
export const listed = (change: (keys: Body[], query: Query) => Body[]): Hooks =>
  inKeyList((keys, { request }) => change(keys, (request.query ?? {}) as Query));

/** Hooks that change the unfiltered list of API keys. */
export const unfiltered = (change: (keys: Body[]) => Body[]): Hooks =>
  listed((keys, { provider, status }) => (provider === undefined && status === undefined ? change(keys) : keys));

/** Hooks that list API keys by another query. */
const queried = (change: (query: Query) => Query | undefined): Hooks => ({
  operations: {
    listTenantApiKeys: (_world, request, run) => {
      const query = change(request.query as Query);
      return query && run({ ...request, query } as unknown as OperationRequest);
    },
  },
});

/** Hooks that ignore a filter. */
export const dropping = (name: 'provider' | 'status', isDropped: (query: Query) => boolean = () => true): Hooks =>
  queried(({ [name]: value, ...query }) =>
    value !== undefined && isDropped({ ...query, [name]: value }) ? query : undefined,
  );

/** Hooks that filter the API keys of the tenant in another way. */
export const filtered = (matches: (key: Body, query: Query) => boolean): Hooks => ({
  operations: {
    listTenantApiKeys: (_world, request, run) => {
      const query = request.query as Query;
      if (query.provider === undefined && query.status === undefined) return undefined;
      const { body } = run({ ...request, query: {} } as unknown as OperationRequest);
      return { body: (body as Body[]).filter((key) => matches(key, query)) };
    },
  },
});

/** Whether a key passes one of the filters. */
export const passes = (key: Body, query: Query, name: 'provider' | 'status'): boolean =>
  query[name] === undefined || key[name] === query[name];

/** Hooks that list the API keys of every tenant. */
export const ofEveryTenant: Hooks = {
  operations: {
    listTenantApiKeys: (world, request, run) => {
      const tenants = [...world.store.tenants.all()].map(({ id }) => id);
      const own = request.caller?.user.tenant;
      if (own === undefined) return undefined;
      const list = (id: string) => run({ ...request, params: { id } } as unknown as OperationRequest).body as Body[];
      const others = tenants.filter((id) => id !== own).flatMap((id) => world.store.apiKeys.lookup('tenant', id));
      const presented = others.map(({ id, provider, name, status, created_at }) => ({
        id,
        provider,
        name,
        status,
        created_at,
      }));
      const { provider, status } = request.query;
      return {
        body: [
          ...list(own),
          ...presented.filter(
            (key) => passes(key, { provider, status }, 'provider') && passes(key, { provider, status }, 'status'),
          ),
        ],
      };
    },
  },
};
