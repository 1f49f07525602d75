/** POST /v1/auth/token/refresh: not in the document; a refresh token has to lead somewhere. */
import { BadRefreshToken } from '../errors.ts';
import { issueSession } from '../sign-in.ts';
import type { Endpoint } from './endpoint.ts';

export const refresh: Endpoint = {
  operation: 'refresh',
  method: 'POST',
  url: '/v1/auth/token/refresh',
  open: true,
  schema: {
    body: {
      type: 'object',
      required: ['refresh_token'],
      additionalProperties: false,
      properties: { refresh_token: { type: 'string', minLength: 1 } },
    },
  },
  async handle(context, request) {
    const { store } = context.world;
    const { refresh_token: token } = request.body as { refresh_token: string };
    const known = store.refreshTokens.get(token);
    const user = known && store.users.get(known.userId);
    if (!known || known.used || !user) throw new BadRefreshToken();
    store.refreshTokens.set(token, { ...known, used: true });
    return { body: await issueSession(user, 'refresh', context) };
  },
};
