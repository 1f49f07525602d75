import { isObject } from '../wire/json.ts';
import { hasAll, objectIn } from './grants.ts';
import { type Probe, Undetermined } from './probe.ts';

/** Members beyond the known ones do not count. */
export const scopesResponse: Probe = {
  gap: 'scopes-response',
  sends: 'GET of the token scopes as admin',
  writes: false,
  needs: ['actors.admin'],
  async observe(session) {
    const body = objectIn('GET of the token scopes', await session.scopes.of('admin'));
    const { scopes, availableScopes } = body;
    const has = (list: unknown, isScope: (item: unknown) => boolean): boolean =>
      Array.isArray(list) && list.every(isScope);
    if (typeof body.is_admin === 'boolean' && has(scopes, (item) => typeof item === 'string')) return 'names';
    const isRecord = (item: unknown): boolean => isObject(item) && hasAll(item, ['name', 'description']);
    if (typeof body.is_admin === 'boolean' && has(scopes, isRecord)) return 'records';
    if (typeof body.isAdmin === 'boolean' && has(availableScopes, (item) => typeof item === 'string')) return 'camel';
    throw new Undetermined(`the scopes answer has ${Object.keys(body).join(', ')}`);
  },
};
