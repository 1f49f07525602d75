import { isObject } from '../values/json.ts';

/** Scopes in one string, as OAuth has them: `recordings:write keys:read`. */
const SCOPE_STRINGS = /^[a-z][\w.-]*:[a-z*][\w.:*-]*([\s,]+[a-z][\w.-]*:[a-z*][\w.:*-]*)*$/i;

/** `{ read: true, write: false }`: what may be done with something. Flags of the caller are none. */
function isMapOfBooleans(value: unknown): boolean {
  const entries = Object.entries(isObject(value) ? value : {});
  const isFlag = (name: string): boolean => /admin|^(is|has)[_A-Z]/.test(name);
  return entries.length > 0 && entries.every(([name, may]) => typeof may === 'boolean' && !isFlag(name));
}

/** What in a value can be a listing of scopes, the shape of which is not shown: a list, or names that are scopes or say so. */
function listingsIn(json: unknown): unknown[] {
  if (Array.isArray(json)) return [json];
  if (!isObject(json)) return [];
  return Object.entries(json).flatMap(([name, value]) => {
    if (/^\w+[:.]\w+/.test(name)) return [name];
    if (typeof value === 'string' && SCOPE_STRINGS.test(value) && !/id$|request|trace/i.test(name)) return [value];
    if (isMapOfBooleans(value)) return [value];
    if (/scope|permission|available|grant|abilit|right/i.test(name))
      return typeof value === 'string' || (typeof value === 'object' && value !== null) ? [value] : [];
    return listingsIn(value);
  });
}

/** Whether a value can be a listing of scopes, which may be empty. */
export const listsScopes = (json: unknown): boolean => listingsIn(json).length > 0;

export const namesScopes = (json: unknown): boolean =>
  listingsIn(json).some((listing) => Object.keys(Object(listing)).length > 0);
