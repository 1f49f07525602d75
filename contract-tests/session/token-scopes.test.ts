import { describe, expect, test } from 'vitest';
import { showsTokenScopes } from './token-scopes.ts';

describe('showsTokenScopes', () => {
  test.each<[json: unknown, path: string]>([
    [{ scopes: ['a'], is_admin: true }, '/v1/scopes'],
    [{ data: [{ key: 'a' }], administrator: false }, '/v1/auth/scopes'],
    [{ items: [{ id: 'a' }], role: 'admin' }, '/v1/scopes'],
    [{ scopes: ['a'] }, '/v1/api-tokens/scopes'],
    [['a'], '/v1/token-scopes'],
    [[['a'], true], '/v1/tokens/scopes'],
    [{ is_admin: true }, '/v1/api-tokens/scopes'],
    [{ scopes: null, is_admin: true }, '/v1/api-tokens/scopes'],
    [{ object: 'scopes', data: ['a'] }, '/v1/api-tokens/scopes'],
  ])('%j at %s does', (json, path) => expect(showsTokenScopes(json, path)).toBe(true));

  test.each<[json: unknown, path: string]>([
    [{ scopes: ['openid'] }, '/v1/scopes'],
    [['openid'], '/v1/auth/scopes'],
    [{ is_admin: true }, '/v1/scopes'],
    [{ scopes: [] }, '/v1/api-tokens/scopes'],
    [{ message: 'welcome' }, '/v1/api-tokens/scopes'],
    [{}, '/v1/token-scopes'],
    [[], '/v1/token-scopes'],
    [null, '/v1/token-scopes'],
  ])('%j at %s does not', (json, path) => expect(showsTokenScopes(json, path)).toBe(false));
});
