import { describe, expect, test } from 'vitest';
import { adminClaim, listsScopes, namesScopes, statementsOf } from './scopes-answer.ts';

describe('adminClaim', () => {
  test.each<[unknown, boolean]>([
    [{ is_admin: true, scopes: [] }, true],
    [{ administrator: 0 }, false],
    [{ data: { type: 'token-scopes', attributes: { is_admin: true } } }, true],
    [{ kind: 'ScopeList', is_admin: true }, true],
    [{ type: 'jwt', administrator: true }, true],
    [{ role: 'manager', is_admin: true }, true],
    [{ level: 'full', user: { is_admin: true } }, true],
    [{ data: { 'keys:read': { admin: true } }, meta: { is_admin: false } }, false],
    [[{ scope: 'keys:read' }, { is_admin: true }], true],
    [
      [
        { id: 'keys:read', is_admin: false },
        { id: 'keys:write', is_admin: false },
      ],
      false,
    ],
    [{ scopes: [{ name: 'keys', admin: true }], meta: { is_admin: false } }, false],
    [{ items: [{ name: 'keys', admin: true }], deep: { meta: { is_admin: false } } }, false],
    [{ authorities: ['ROLE_ADMIN'] }, true],
    [{ roles: [{ name: 'admin' }] }, true],
    [{ role: 'admin', is_admin: false }, false],
    [{ is_platform_admin: false, is_admin: true }, true],
    [{ is_org_admin: true, is_platform_admin: false }, true],
  ])('%j: %s', (json, isAdmin) => expect(adminClaim(json)).toMatchObject({ isAdmin, isWeak: false }));

  test.each([{ role: 'manager' }, { roles: ['staff'] }, { role: 'non-admin' }, { groups: ['admin-newsletter'] }])(
    '%j is weak',
    (json) => expect(adminClaim(json)).toMatchObject({ isAdmin: false, isWeak: true }),
  );

  test.each([
    { scopes: ['admin:all'] },
    { type: 'token-scopes', kind: 'admin' },
    { permissions: { admin: true } },
    [{ name: 'admin:all', admin: true }],
    'admin',
    null,
  ])('%j has none', (json) => expect(adminClaim(json)).toBeUndefined());
});

describe('statementsOf', () => {
  test.each([
    [{ user_id: 'abc' }, { user_id: 'xyz' }],
    [{ email: 'a@b.c' }, { email: 'm@b.c' }],
    [{ request_id: 'abc' }, { request_id: 'xyz' }],
    [
      { username: 'frida', fullName: 'Frida' },
      { username: 'mo', fullName: 'Mo' },
    ],
    [{ caller: 'frida' }, { caller: 'mo' }],
    [
      { issued_at: 'x', total: 1, count: 0 },
      { issued_at: 'y', total: 9, count: 3 },
    ],
    [{ items: ['a', 'b'] }, { items: ['a'] }],
    [{ scopes: { a: true } }, { scopes: { a: false } }],
  ])('%j and %j say the same', (admin, member) => expect(statementsOf(admin)).toBe(statementsOf(member)));

  test.each([
    [{ elevated: true }, { elevated: false }],
    [{ privileged: 1 }, { privileged: 0 }],
    [{ role: 'manager' }, { role: 'staff' }],
    [{ roles: [{ name: 'manager' }] }, { roles: [{ name: 'staff' }] }],
    [{ access: 'full' }, { access: 'own' }],
    [{ caller: 'admin' }, { caller: 'member' }],
    [{ access_level: 9 }, { access_level: 2 }],
    [
      [['a'], true],
      [['a'], false],
    ],
    [
      [{ scope: 'a' }, { elevated: true }],
      [{ scope: 'a' }, { elevated: false }],
    ],
  ])('%j and %j differ', (admin, member) => expect(statementsOf(admin)).not.toBe(statementsOf(member)));
});

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
