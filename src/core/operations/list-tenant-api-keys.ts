import { asNumber, memberOf } from '../../../contract-tests/values/json.ts';
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
  const asked: Page = request.query as object;
  const filter = { provider: wantedOf('provider', request, world), status: wantedOf('status', request, world) };
  request.leanOn('provider-values', 'key-status-values', 'extra-fields', 'timestamp-form');
  const isPaged = (asked.limit !== undefined || asked.offset !== undefined) && request.assume('pagination') !== 'none';
  return { body: listOf(keys, request.query, world.answers, () => page(keys, filter, isPaged ? asked : {})) };
};

type Filter = Readonly<Record<'provider' | 'status', readonly string[] | undefined>>;

interface Page {
  readonly limit?: unknown;
  readonly offset?: unknown;
}

/** The values that a filter lets through; undefined where it is none. */
function wantedOf(name: keyof Filter, request: Request, { answers }: World): readonly string[] | undefined {
  const sent = memberOf(request.query as Readonly<Record<string, string | string[]>>, name);
  if (sent === undefined) return undefined;
  // Validation makes a list of a single value where several are allowed.
  const values = [sent].flat();
  const [value = ''] = values;
  if (values.length > 1) {
    const answer = request.assume(`repeated-${name}-filter`);
    if (answer === 'any') return values;
    return answer === 'empty' ? [] : values.slice(...(answer === 'first' ? [0, 1] : [-1]));
  }
  if (value === '') return request.assume(`empty-${name}-filter`) === 'ignore' ? undefined : [];
  const isUnknown = name === 'provider' && !answers.get('provider-values').includes(value);
  return isUnknown && request.assume('unknown-provider-filter') === 'ignore' ? undefined : values;
}

/** By records: while these and the answers are the same, so is a query's list. */
const known = new WeakMap<
  readonly ApiKey[],
  { readonly answers: Answers; readonly byQuery: WeakMap<object, object> }
>();

function listOf(keys: readonly ApiKey[], query: object, answers: Answers, find: () => readonly ApiKey[]): object {
  let lists = known.get(keys);
  if (lists?.answers !== answers) {
    lists = { answers, byQuery: new WeakMap() };
    known.set(keys, lists);
  }
  let list = lists.byQuery.get(query);
  if (!list) {
    list = keep(find().map((key) => presentApiKey(key, answers)));
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
function page(keys: readonly ApiKey[], { provider, status }: Filter, { limit, offset }: Page): readonly ApiKey[] {
  const listed = keys
    .filter((key) => provider?.includes(key.provider) !== false)
    .filter((key) => status?.includes(key.status) !== false);
  const start = asNumber(offset ?? 0);
  return listed.slice(start, limit === undefined ? undefined : start + asNumber(limit));
}
