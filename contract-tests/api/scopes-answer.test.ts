import { describe, expect, test } from 'vitest';
import { adminClaim, listsScopes, namesScopes, statementsOf } from './scopes-answer.ts';

describe('adminClaim', () => {
  test.each<[unknown, boolean]>([
    [{ administrator: 0 }, false],
    [{ data: { 'keys:read': { admin: true } }, meta: { is_admin: false } }, false],
    [
      [
        { id: 'keys:read', is_admin: false },
        { id: 'keys:write', is_admin: false },
      ],
      false,
    ],
    [{ authorities: ['ROLE_ADMIN'] }, true],
    [{ is_platform_admin: false, is_admin: true }, true],
    [{ is_org_admin: true, is_platform_admin: false }, true],
  ])('%j: %s', (json, isAdmin) => expect(adminClaim(json)).toMatchObject({ isAdmin, isWeak: false }));

  test.each([{ role: 'non-admin' }, { groups: ['admin-newsletter'] }])('%j is weak', (json) =>
    expect(adminClaim(json)).toMatchObject({ isAdmin: false, isWeak: true }),
  );

  test.each([
    { type: 'token-scopes', kind: 'admin' },
    { permissions: { admin: true } },
    [{ name: 'admin:all', admin: true }],
  ])('%j has none', (json) => expect(adminClaim(json)).toBeUndefined());
});

describe('statementsOf', () => {
  test.each([
    [{ user_id: 'abc' }, { user_id: 'xyz' }],
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
    [{ privileged: 1 }, { privileged: 0 }],
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
  [{ scope: 'read' }, true],
  [{ data: [{ key: 'recordings:write' }] }, true],
  [{ 'recordings:write': true }, true],
  [{ 'recordings.write': 'Change recordings' }, true],
  [{ recordings: { read: true, write: false } }, true],
  [{ text: 'keys:read recordings:write' }, true],
  [{ is_admin: true, abilities: {} }, true],
  [{ data: { is_admin: true, user: { id: '1' } } }, false],
  [{ flags: { is_admin: true, hasAdminRights: false } }, false],
  [{ trace: 'a:b' }, false],
  [{ scopes: null }, false],
  [{ message: 'All is well: you may do everything.' }, false],
])('%j lists scopes, in any shape: %s', (json, expected) => expect(listsScopes(json)).toBe(expected));

test.each<[unknown, boolean]>([
  [{ scopes: [], permissions: { a: true } }, true],
  [{ scopes: [] }, false],
])('%j names scopes: %s', (json, expected) => expect(namesScopes(json)).toBe(expected));
