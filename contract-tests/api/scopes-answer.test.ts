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

test.each<[unknown, boolean]>([
  [[], true],
  [['recordings:write'], true],
  [[{ name: 'recordings:write' }], true],
  [{ scopes: [], is_admin: false }, true],
  [{ scopes: 'recordings:write keys:read' }, true],
  [{ scope: 'read' }, true],
  [{ data: { available: ['a'] } }, true],
  [{ data: [{ key: 'recordings:write' }] }, true],
  [{ permissions: { recordings: { write: true } } }, true],
  [{ 'recordings:write': true }, true],
  [{ 'recordings.write': 'Change recordings' }, true],
  [{ recordings: { read: true, write: false } }, true],
  [{ granted: 'keys:read, recordings:*' }, true],
  [{ text: 'keys:read recordings:write' }, true],
  [{ is_admin: true, abilities: {} }, true],
  [{}, false],
  [null, false],
  ['recordings:write', false],
  [{ is_admin: true }, false],
  [{ data: { is_admin: true, user: { id: '1' } } }, false],
  [{ flags: { is_admin: true, hasAdminRights: false } }, false],
  [{ flags: {} }, false],
  [{ request_id: 'req:4f2a' }, false],
  [{ trace: 'a:b' }, false],
  [{ scopes: null }, false],
  [{ scopes: 3 }, false],
  [{ message: 'All is well: you may do everything.' }, false],
])('%j lists scopes, in any shape: %s', (json, expected) => expect(listsScopes(json)).toBe(expected));

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
