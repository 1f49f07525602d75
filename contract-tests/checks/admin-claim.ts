import { isObject } from './formats.ts';

/** Where an answer of unknown shape says whether the caller is an administrator, and what it says. */
export interface AdminClaim {
  path: string[];
  value: unknown;
  isAdmin: boolean;
}

const FLAG =
  /^(caller|current|user|account|has|is|org|organisation|organization|tenant|platform|system|super)*(admin|administrator)(istrator)?(user|role|access|rights|flag|status)?$/;
const ROLE = /^(user|caller|account)?(role|roles|type|level|kind|rolename)$/;

/**
 * Finds the statement by its name, at any depth outside of lists: a flag such as is_admin, or a role. The shape of 4.4 is
 * not shown, so undefined means only that nothing was recognised.
 */
export function adminClaim(json: unknown, path: string[] = []): AdminClaim | undefined {
  if (!isObject(json)) return undefined;
  for (const [name, value] of Object.entries(json)) {
    const plain = name.replace(/[^A-Za-z]/g, '').toLowerCase();
    const here = [...path, name];
    if (FLAG.test(plain)) {
      if (typeof value === 'boolean') return { path: here, value, isAdmin: value };
      if (value === 0 || value === 1) return { path: here, value, isAdmin: value === 1 };
      if (typeof value === 'string' && /^(true|yes|false|no)$/i.test(value))
        return { path: here, value, isAdmin: /^(true|yes)$/i.test(value) };
    }
    if (ROLE.test(plain)) {
      const roles = (Array.isArray(value) ? value : [value]).filter((role) => typeof role === 'string');
      if (roles.length > 0)
        return { path: here, value, isAdmin: roles.some((role) => /admin|owner|superuser/i.test(role)) };
    }
  }
  for (const [name, value] of Object.entries(json)) {
    const inside = adminClaim(value, [...path, name]);
    if (inside) return inside;
  }
  return undefined;
}

/** An answer without its lists and scope strings: what is left when the scopes are taken out. */
export function withoutLists(json: unknown): unknown {
  if (Array.isArray(json)) return [];
  if (!isObject(json)) return json;
  const kept = Object.entries(json).filter(
    ([name, value]) => !(typeof value === 'string' && /scope|permission/i.test(name)),
  );
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutLists(value)]));
}
