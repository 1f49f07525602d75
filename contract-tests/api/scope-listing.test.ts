import { describe, expect, test } from 'vitest';
import { listsScopes, namesScopes } from './scope-listing.ts';

describe('listsScopes', () => {
  test.each<[unknown]>([
    [[]],
    [['recordings:write']],
    [[{ name: 'recordings:write' }]],
    [{ scopes: [], is_admin: false }],
    [{ scopes: 'recordings:write keys:read' }],
    [{ scope: 'read' }],
    [{ data: { available: ['a'] } }],
    [{ data: [{ key: 'recordings:write' }] }],
    [{ permissions: { recordings: { write: true } } }],
    [{ 'recordings:write': true }],
    [{ 'recordings.write': 'Change recordings' }],
    [{ recordings: { read: true, write: false } }],
    [{ granted: 'keys:read, recordings:*' }],
    [{ text: 'keys:read recordings:write' }],
    [{ is_admin: true, abilities: {} }],
  ])('%j lists scopes, in any shape', (json) => expect(listsScopes(json)).toBe(true));

  test.each<[unknown]>([
    [{}],
    [null],
    ['recordings:write'],
    [{ is_admin: true }],
    [{ data: { is_admin: true, user: { id: '1' } } }],
    [{ flags: { is_admin: true, hasAdminRights: false } }],
    [{ flags: {} }],
    [{ request_id: 'req:4f2a' }],
    [{ trace: 'a:b' }],
    [{ scopes: null }],
    [{ scopes: 3 }],
    [{ message: 'All is well: you may do everything.' }],
  ])('%j lists none', (json) => expect(listsScopes(json)).toBe(false));
});

test.each<[unknown, boolean]>([
  [['recordings:write'], true],
  [{ scopes: 'read' }, true],
  [{ 'recordings:write': true }, true],
  [{ scopes: [], permissions: { a: true } }, true],
  [[], false],
  [{ scopes: [] }, false],
  [{ scopes: {}, grants: '' }, false],
  [{ is_admin: true }, false],
])('%j names scopes: %s', (json, expected) => expect(namesScopes(json)).toBe(expected));
