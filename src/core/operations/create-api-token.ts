import type { components } from '../spec/api-types.ts';
import { callerOf, type Operation, recordNonDefaultGap } from './operation.ts';
import { timestamp } from './present.ts';
import { scopesOf } from './scopes.ts';
import { issuePat } from './tokens.ts';

type Body = Partial<components['schemas']['ApiTokenRequest']>;

/** POST /v1/api-tokens: creates a personal access token (part 5; request and answer are gaps). Scopes are stored, not enforced. */
export const createApiToken: Operation<'createApiToken'> = (world, request) => {
  const { user } = callerOf(request);
  request.assume('pat-create-request');
  request.assume('pat-prefix');
  recordNonDefaultGap(world, request, 'timestamp-form', 'success-codes');
  const { name = 'Personal access token', scopes = scopesOf(world, user) }: Body = request.body ?? {};
  const { pat, token } = issuePat(world, user, name, scopes);

  const id = pat.id;
  const created_at = timestamp(pat.created_at, world.answers);
  switch (request.assume('pat-create-response')) {
    case 'token-field':
      return { body: { id, name, token, scopes, created_at } };
    case 'key-field':
      return { body: { id, name, key: token, created_at } };
    case 'nested':
      return { body: { token, api_token: { id, name, scopes, created_at } } };
  }
};
