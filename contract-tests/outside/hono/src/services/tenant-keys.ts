import { Refusal } from '../errors.ts';
import type { Services } from '../hooks.ts';
import type { World } from '../world.ts';

/** Provider API keys of a tenant. Administrators of the platform may read any tenant's list. */
export const tenantKeys = (world: World): Pick<Services, 'listKeys' | 'showKey' | 'showKeys'> => ({
  async listKeys({ principal, tenantId, provider, status }) {
    if (principal.user.role !== 'admin') throw new Refusal(403, 'forbidden', 'Forbidden');
    if (!world.store.tenants.includes(tenantId)) throw new Refusal(404, 'not_found', 'Tenant not found');
    return world.store.apiKeys.filter(
      (key) =>
        key.tenantId === tenantId &&
        (provider === undefined || key.provider === provider) &&
        (status === undefined || key.status === status),
    );
  },

  async showKey({ key }) {
    return {
      id: key.id,
      provider: key.provider,
      name: key.name,
      status: key.status,
      created_at: world.settings.timestamp(key.createdAt),
    };
  },

  async showKeys({ views }) {
    return views;
  },
});
