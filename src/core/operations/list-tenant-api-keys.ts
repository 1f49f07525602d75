import { asNumber } from '../../../contract-tests/values/json.ts';
import type { Answers } from '../profiles/answers.ts';
import type { ApiKey } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { apiError, refusal } from './api-error.ts';
import { type Caller, callerOf } from './caller.ts';
import { keep } from './kept.ts';
import type { Operation, OperationRequest } from './operation.ts';
import { presentApiKey } from './present.ts';

type Request = OperationRequest<'listTenantApiKeys'>;

/** GET /v1/admin/tenants/{id}/api-keys: lists a tenant's provider API keys, optionally filtered (4.3). */
export const listTenantApiKeys: Operation<'listTenantApiKeys'> = (world, request) => {
  const keys = findKeys(world, callerOf(request), request);
  const { provider, limit, offset } = request.query as Filter & Request['query'];
  if (isUnknown(provider, world.answers)) request.assume('unknown-provider-filter');
  request.leanOn('provider-values', 'key-status-values', 'extra-fields', 'timestamp-form');
  const isPaged = (limit !== undefined || offset !== undefined) && request.assume('pagination') !== 'none';
  return { body: listOf(keys, request.query, world.answers, isPaged) };
};

const isUnknown = (provider: Filter['provider'], answers: Answers): boolean =>
  provider !== undefined && !answers.get('provider-values').includes(provider);

interface Filter {
  readonly provider?: string;
  readonly status?: unknown;
  readonly limit?: unknown;
  readonly offset?: unknown;
}

/** By records: while these and the answers are the same, so is a query's list. */
const known = new WeakMap<
  readonly ApiKey[],
  { readonly answers: Answers; readonly byQuery: WeakMap<Filter, object> }
>();

function listOf(keys: readonly ApiKey[], query: Filter, answers: Answers, isPaged: boolean): object {
  let lists = known.get(keys);
  if (lists?.answers !== answers) {
    lists = { answers, byQuery: new WeakMap() };
    known.set(keys, lists);
  }
  let list = lists.byQuery.get(query);
  if (!list) {
    const isIgnored = answers.get('unknown-provider-filter') === 'ignore' && isUnknown(query.provider, answers);
    const filter = isIgnored ? { ...query, provider: undefined } : query;
    list = keep(page(keys, filter, isPaged).map((key) => presentApiKey(key, answers)));
    lists.byQuery.set(query, list);
  }
  return list;
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

  const kind = world.store.tenants.get(id) ? 'foreign-tenant' : 'unknown-tenant';
  const refused = refusal(world.answers, kind, message);
  if (refused) throw refused;
  request.assume(kind);
  return world.store.apiKeys.lookup('tenant', id);
}

/** Those that match the filter; one page of them, if the profile has pagination. */
function page(keys: readonly ApiKey[], { provider, status, limit, offset }: Filter, isPaged: boolean) {
  const listed = keys
    .filter((key) => provider === undefined || key.provider === provider)
    .filter((key) => status === undefined || key.status === status);
  if (!isPaged) return listed;
  const start = asNumber(offset ?? 0);
  return listed.slice(start, limit === undefined ? undefined : start + asNumber(limit));
}
