import type { ApiKey } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { apiError, refusal } from './api-error.ts';
import { type Caller, callerOf, type Operation, type OperationRequest, recordNonDefaultGap } from './operation.ts';
import { presentApiKey } from './present.ts';

type Request = OperationRequest<'listTenantApiKeys'>;

/** GET /v1/admin/tenants/{id}/api-keys: lists a tenant's provider API keys, optionally filtered (4.3). */
export const listTenantApiKeys: Operation<'listTenantApiKeys'> = (world, request) => {
  const keys = findKeys(world, callerOf(request), request);
  const { provider, status } = request.query;
  if (provider !== undefined && !world.answers.get('provider-values').includes(provider)) {
    request.assume('unknown-provider-filter');
  }
  const listed = keys
    .filter((key) => provider === undefined || key.provider === provider)
    .filter((key) => status === undefined || key.status === status);
  recordNonDefaultGap(world, request, 'extra-fields', 'timestamp-form');
  return { body: page(listed, request).map((key) => presentApiKey(key, world.answers)) };
};

/** @throws ApiError forbidden, unknown-tenant, foreign-tenant */
function findKeys(world: World, { user }: Caller, request: Request): ApiKey[] {
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

/** One page of the list, if the profile has pagination. */
function page(keys: ApiKey[], request: Request): ApiKey[] {
  const { limit, offset } = request.query as { limit?: unknown; offset?: unknown };
  if (limit === undefined && offset === undefined) return keys;
  if (request.assume('pagination') === 'none') return keys;
  const start = Number(offset ?? 0);
  return keys.slice(start, limit === undefined ? undefined : start + Number(limit));
}
