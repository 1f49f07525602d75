/** POST /v1/auth/login: named in section 5, its request and answer are our own choice. */
import { BadLogin } from '../errors.ts';
import { issueSession } from '../sign-in.ts';
import type { Endpoint } from './endpoint.ts';

export const login: Endpoint = {
  operation: 'login',
  method: 'POST',
  url: '/v1/auth/login',
  open: true,
  schema: {
    body: {
      type: 'object',
      required: ['username', 'password'],
      additionalProperties: false,
      properties: { username: { type: 'string', minLength: 1 }, password: { type: 'string', minLength: 1 } },
    },
  },
  async handle(context, request) {
    const { username, password } = request.body as { username: string; password: string };
    const user = context.world.store.userByLogin(username, password);
    if (!user) throw new BadLogin();
    return { body: await issueSession(user, 'pwd', context) };
  },
};
