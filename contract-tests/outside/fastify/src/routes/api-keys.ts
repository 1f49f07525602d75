/** 4.3 List tenant API keys */
import { Forbidden, TenantNotFound } from '../errors.ts';
import { pipe } from '../hooks.ts';
import { type ApiKey, type KeyFilter, PROVIDERS } from '../model.ts';
import { keyBody } from '../present.ts';
import { callerIn, type Endpoint } from './endpoint.ts';

function select(keys: ApiKey[], filter: KeyFilter): ApiKey[] {
  return keys
    .filter((key) => filter.provider === undefined || key.provider === filter.provider)
    .filter((key) => filter.status === undefined || key.status === filter.status)
    .sort((a, b) => a.createdAt - b.createdAt);
}

export const apiKeys: Endpoint = {
  operation: 'listKeys',
  method: 'GET',
  url: '/v1/admin/tenants/:id/api-keys',
  schema: {
    querystring: {
      type: 'object',
      properties: {
        provider: { type: 'string', enum: PROVIDERS },
        status: { type: 'string' },
      },
    },
  },
  async handle(context, request) {
    const { id } = request.params as { id: string };
    const { provider, status } = request.query as KeyFilter;
    const caller = callerIn(context);
    if (!caller.user.admin || !caller.scopes.includes('api-keys:read')) throw new Forbidden();
    if (caller.user.tenantId !== id) throw new TenantNotFound(id);
    const filter = await pipe('keyFilter', { provider, status }, context);
    context.filter = filter;
    const rows = await pipe('keyRows', select(context.world.store.keysOf(id), filter), context);
    const bodies = await pipe(
      'keyBodies',
      rows.map((key) => keyBody(key, context.world)),
      context,
    );
    return { body: bodies };
  },
};
