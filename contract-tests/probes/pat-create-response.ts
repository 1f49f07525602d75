import { isPatForm } from '../session/token-forms.ts';
import { isObject } from '../wire/json.ts';
import { hasAll, objectIn } from './grants.ts';
import { type Probe, Undetermined } from './probe.ts';

/** Members beyond the known ones do not count. */
export const patCreateResponse: Probe = {
  gap: 'pat-create-response',
  sends: 'POST /v1/api-tokens, the one creation of the run',
  writes: true,
  needs: ['actors.admin'],
  async observe(session) {
    const made = objectIn('POST /v1/api-tokens', await session.pats.created('admin'));
    const inside = made.api_token;
    if (isPatForm(made.token) && isObject(inside) && hasAll(inside, ['id', 'name', 'scopes', 'created_at']))
      return 'nested';
    if (isPatForm(made.token) && hasAll(made, ['id', 'name', 'scopes', 'created_at'])) return 'token-field';
    if (isPatForm(made.key) && hasAll(made, ['id', 'name', 'created_at'])) return 'key-field';
    throw new Undetermined(`the creation answers ${Object.keys(made).join(', ')}`);
  },
};
