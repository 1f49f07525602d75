import { isObject } from './formats.ts';

/** Scopes in one string, as OAuth has them: `recordings:write keys:read`. */
const SCOPE_STRINGS = /^[a-z][\w.-]*:[a-z*][\w.:*-]*([\s,]+[a-z][\w.-]*:[a-z*][\w.:*-]*)*$/i;

/** `{ read: true, write: false }`: what may be done with something. Flags of the caller are none. */
function isMapOfBooleans(value: unknown): boolean {
  if (!isObject(value)) return false;
  const entries = Object.entries(value);
  return (
    entries.length > 0 &&
    entries.every(([name, may]) => typeof may === 'boolean' && !/admin|^(is|has)[_A-Z]/.test(name))
  );
}

/** Whether a value can be a listing of scopes, the shape of which is not shown: a list, or names that are scopes or say so. */
export function listsScopes(json: unknown): boolean {
  if (Array.isArray(json)) return true;
  if (!isObject(json)) return false;
  return Object.entries(json).some(([name, value]) => {
    if (/^\w+[:.]\w+/.test(name)) return true;
    if (typeof value === 'string' && SCOPE_STRINGS.test(value) && !/id$|request|trace/i.test(name)) return true;
    if (isMapOfBooleans(value)) return true;
    if (/scope|permission|available|grant|abilit|right/i.test(name))
      return typeof value === 'string' || (typeof value === 'object' && value !== null);
    return listsScopes(value);
  });
}
