import type { Answers } from '../profiles/answers.ts';
import type { ApiKey } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { apiError, refusal } from './api-error.ts';
import { keep } from './kept.ts';
import { type Caller, callerOf, type Operation, type OperationRequest, recordNonDefaultGap } from './operation.ts';
import { presentApiKey } from './present.ts';

type Request = OperationRequest<'listTenantApiKeys'>;

/** GET /v1/admin/tenants/{id}/api-keys: lists a tenant's provider API keys, optionally filtered (4.3). */
export const listTenantApiKeys: Operation<'listTenantApiKeys'> = (world, request) => {
  const keys = findKeys(world, callerOf(request), request);
  const { provider, status, limit, offset } = request.query as Filter & Request['query'];
  if (provider !== undefined && !world.answers.get('provider-values').includes(provider)) {
    request.assume('unknown-provider-filter');
  }
  recordNonDefaultGap(world, request, 'extra-fields', 'timestamp-form');
  const isPaged = (limit !== undefined || offset !== undefined) && request.assume('pagination') !== 'none';
  const filter = { provider, status, ...(isPaged && { limit, offset }) };
  return { body: listOf(keys, filter, world.answers) };
};

interface Filter {
  readonly provider?: unknown;
  readonly status?: unknown;
  readonly limit?: unknown;
  readonly offset?: unknown;
}

/** Lists by the records that they are of, and by filter: as long as no record changes, neither does its list. */
const lists = new WeakMap<readonly ApiKey[], { readonly answers: Answers; readonly byFilter: Map<string, object> }>();
const maxFilters = 100;

function listOf(keys: readonly ApiKey[], filter: Filter, answers: Answers): object {
  const known = lists.get(keys);
  const { byFilter } = known?.answers === answers ? known : { byFilter: new Map<string, object>() };
  if (known?.byFilter !== byFilter) lists.set(keys, { answers, byFilter });
  const name = JSON.stringify(filter);
  const list = byFilter.get(name) ?? keep(page(keys, filter).map((key) => presentApiKey(key, answers)));
  // Filters come from clients.
  if (byFilter.size >= maxFilters) byFilter.clear();
  return byFilter.set(name, list) && list;
}

/** @throws ApiError forbidden, unknown-tenant, foreign-tenant */
function findKeys(world: World, { user }: Caller, request: Request): readonly ApiKey[] {
  const { id } = request.params;
  const message = (status: number) =>
    status === 404 ? 'There is no such tenant.' : 'You may not list the API keys of this tenant.';
  if (!user.administrator && world.answers.get('admin-access') === 'administrators') {
    throw apiError(world.answers, 'forbidden', message, { gaps: ['admin-access'] });
  }
  if (!user.administrator) request.assume('admin-access');
  if (id === user.tenant) return world.store.apiKeys.lookup('tenant', id);

  const refused = refusal(world.answers, world.store.tenants.get(id) ? 'foreign-tenant' : 'unknown-tenant', message);
  if (refused) throw refused;
  if (world.store.tenants.get(id)) {
    request.assume('foreign-tenant');
    return world.store.apiKeys.lookup('tenant', id);
  }
  request.assume('unknown-tenant');
  return [];
}

/** One page of those that the filter lets through. */
function page(keys: readonly ApiKey[], { provider, status, limit, offset }: Filter): readonly ApiKey[] {
  const listed = keys
    .filter((key) => provider === undefined || key.provider === provider)
    .filter((key) => status === undefined || key.status === status);
  const start = Number(offset ?? 0);
  return listed.slice(start, limit === undefined ? undefined : start + Number(limit));
}
