/** 4.1 SSO login */
import { UnknownIdentity } from '../errors.ts';
import { pipe } from '../hooks.ts';
import type { SsoIdentity } from '../model.ts';
import { issueSession } from '../sign-in.ts';
import type { Endpoint } from './endpoint.ts';

const claim = { type: 'string', minLength: 1, maxLength: 512 };

export const sso: Endpoint = {
  operation: 'sso',
  method: 'POST',
  url: '/v1/auth/sso',
  open: true,
  schema: {
    body: {
      type: 'object',
      required: ['oid', 'tid'],
      additionalProperties: false,
      properties: { oid: claim, tid: claim, upn: claim },
    },
  },
  async handle(context, request) {
    const identity = await pipe('identity', request.body as SsoIdentity, context);
    const user = context.world.store.userBySso(identity);
    if (!user) throw new UnknownIdentity();
    return { body: await issueSession(user, 'sso', context) };
  },
};
