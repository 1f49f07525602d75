/** 4.4 List available token scopes; the path and the shape are our own choice. */
import { pipe } from '../hooks.ts';
import { scopesOf } from '../scopes.ts';
import { callerIn, type Endpoint } from './endpoint.ts';

export const tokenScopes: Endpoint = {
  operation: 'scopes',
  method: 'GET',
  url: '/v1/api-tokens/scopes',
  schema: {},
  async handle(context) {
    const { user } = callerIn(context);
    return { body: await pipe('scopesBody', { scopes: scopesOf(user), is_admin: user.admin }, context) };
  },
};
