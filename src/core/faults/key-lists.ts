import type { OperationRequest } from '../operations/operation.ts';
import type { Body, Hooks } from './hooks.ts';

/** What a list was asked for. */
export type Query = Readonly<Record<string, string | undefined>>;

/** Hooks that change the list of API keys, after it was filtered. */
export const listed = (change: (keys: Body[], query: Query) => Body[]): Hooks => ({
  bodies: {
    listTenantApiKeys: (keys, { request }) => change(keys as unknown as Body[], (request.query ?? {}) as Query),
  },
});

/** Hooks that change the list of API keys where no filter was asked for. */
export const unfiltered = (change: (keys: Body[]) => Body[]): Hooks =>
  listed((keys, { provider, status }) => (provider === undefined && status === undefined ? change(keys) : keys));

/** Hooks that list by another query than was asked for. */
export const queried = (change: (query: Query) => Query | undefined): Hooks => ({
  operations: {
    listTenantApiKeys: (_world, request, run) => {
      const query = change(request.query as Query);
      return query && run({ ...request, query } as unknown as OperationRequest);
    },
  },
});

/** Hooks that lose a filter on the way. */
export const dropping = (name: 'provider' | 'status', isDropped: (query: Query) => boolean = () => true): Hooks =>
  queried(({ [name]: value, ...query }) =>
    value !== undefined && isDropped({ ...query, [name]: value }) ? query : undefined,
  );

/** Hooks that list all API keys of the tenant where a filter was asked for, and filter those otherwise. */
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

/** Whether a filter that was asked for lets a key through. */
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
      const shown = others.map(({ id, provider, name, status, created_at }) => ({
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
          ...shown.filter(
            (key) => passes(key, { provider, status }, 'provider') && passes(key, { provider, status }, 'status'),
          ),
        ],
      };
    },
  },
};
