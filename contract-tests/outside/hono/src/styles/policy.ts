import { after } from '../advice.ts';
import { hasCode, Refusal } from '../errors.ts';
import type { Hooks } from '../hooks.ts';
import type { World } from '../world.ts';
import type { Style } from './style.ts';

/** Processing goes on by itself, one state per second. */
const movingStatus = (world: World): Hooks => ({
  showRecording: after<'showRecording'>((view) => {
    const steps = ['pending', 'processing', 'completed'];
    return { ...view, status: steps[Math.min(2, Math.floor((Date.now() - world.startedAt) / 1000))] };
  }),
});

const emptyTenant = (world: World): Hooks => {
  world.store.apiKeys = [];
  return {};
};

/** What is not yours does not exist. */
const masked = (): Hooks => {
  const hide = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw hasCode(error, 'forbidden') ? new Refusal(404, 'not_found', 'Not Found') : error;
    }
  };
  return {
    update: (call, next) => hide(next(call)),
    listKeys: (query, next) => hide(next(query)),
  };
};

/** Reading a tenant's key list (never the secrets) is open to the tenant's members. */
const membersRead = (world: World): Hooks => ({
  async listKeys(query, next) {
    const { user } = query.principal;
    const admin = world.store.users[0];
    if (user.role !== 'member' || user.tenantId !== query.tenantId || !admin) return next(query);
    return next({ ...query, principal: { ...query.principal, user: admin } });
  },
});

export const policyStyles: Style[] = [
  {
    id: 'moving-status',
    description: 'the status of a recording goes on by itself: pending, processing, completed',
    hooks: movingStatus,
  },
  {
    id: 'strict-bodies',
    description: 'unknown body fields and wrong types are refused with 422',
    settings: { strictBodies: true },
  },
  { id: 'empty-tenant', description: 'no tenant has API keys', hooks: emptyTenant },
  { id: 'masked', description: 'what a caller may not touch is answered 404', hooks: masked },
  { id: 'members-read-keys', description: 'members may list the keys of their own tenant', hooks: membersRead },
];
