import { expect, test } from 'vitest';
import { showsTokenScopes } from './token-scopes.ts';

test.each<[doesShow: boolean, json: unknown, path: string]>([
  [true, { scopes: ['a'], is_admin: true }, '/v1/scopes'],
  [true, { data: [{ key: 'a' }], administrator: false }, '/v1/auth/scopes'],
  [true, { items: [{ id: 'a' }], role: 'admin' }, '/v1/scopes'],
  [true, { is_admin: true }, '/v1/api-tokens/scopes'],
  [false, { is_admin: true }, '/v1/scopes'],
  [false, { scopes: [] }, '/v1/api-tokens/scopes'],
  [false, { message: 'welcome' }, '/v1/api-tokens/scopes'],
])('whether these are token scopes, %s: %j at %s', (doesShow, json, path) =>
  expect(showsTokenScopes(json, path)).toBe(doesShow),
);
