import { callerOf } from './caller.ts';
import { scopesOf } from './list-token-scopes.ts';
import type { Operation } from './operation.ts';
import { asTexts, readBodyAs, timestamp, writeBodyAs } from './present.ts';
import { endEarlierPats, issuePat } from './tokens.ts';

interface Body {
  readonly name?: string;
  readonly scopes?: readonly string[];
}

/** POST /v1/api-tokens: creates a personal access token (part 5; request and answer are gaps). Scopes are stored, not enforced. */
export const createApiToken: Operation<'createApiToken'> = (world, request) => {
  const { user } = callerOf(request);
  request.assume('pat-create-request');
  request.assume('pat-prefix');
  request.leanOn('timestamp-form', 'pat-lifetime');
  const { name = 'Personal access token', scopes = scopesOf(world, user) }: Body = asTexts(
    readBodyAs('pat-create-request', world, request.body),
    request,
  );
  const { pat, token } = issuePat(world, user, name, scopes);
  request.leanOn('several-pats');
  if (scopes.some((scope) => !world.answers.get('scope-values').includes(scope))) request.leanOn('unknown-scope');
  if (world.answers.get('several-pats') !== 'keep') endEarlierPats(world, pat);

  request.assume('pat-create-response');
  const createdAt = timestamp(pat.created_at, world.answers);
  const expiresAt = pat.expires_at === undefined ? null : timestamp(pat.expires_at, world.answers);
  const values = { id: pat.id, name, token, scopes, createdAt, expiresAt, text: 'text', number: 0 };
  return { body: writeBodyAs('pat-create-response', world, values) };
};
