import { isObject, type JsonObject } from './document.ts';
import type { Json } from './gaps.ts';

/** Patches one element: objects are merged, null removes, lists are united; `x-replace: true` replaces. */
export function applyPatch(base: Json | undefined, patch: Json): Json {
  if (Array.isArray(base) && Array.isArray(patch)) return unite(base, patch);
  if (!isObject(patch)) return patch;
  if (patch['x-replace'] === true || !isObject(base)) {
    const { 'x-replace': _, ...rest } = patch;
    return applyPatch({}, rest);
  }
  const merged: JsonObject = { ...base };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = applyPatch(merged[key], value);
  }
  return merged;
}

const unite = (left: Json[], right: Json[]): Json[] => [...left, ...right.filter((item) => !left.includes(item))];
