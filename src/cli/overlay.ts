import { memberOf } from '../../contract-tests/values/json.ts';
import { isObject, type JsonObject } from '../core/spec/document.ts';
import type { Json } from '../core/spec/gaps.ts';

/** An overlay action: `remove` removes the node at `target`, `update` is merged into it. */
export type OverlayAction =
  | { readonly target: string; readonly remove: true }
  | { readonly target: string; readonly update: JsonObject };

export interface Overlay {
  readonly overlay: '1.0.0';
  readonly info: { readonly title: string; readonly version: string } & JsonObject;
  readonly actions: readonly OverlayAction[];
}

type Path = readonly (string | number)[];

/** The overlay that turns `from` into `to`, by what all implementations agree on: one node a target; updates merge objects, append to lists. */
export function overlayBetween(from: object, to: object, info: Overlay['info']): Overlay {
  const actions = [...changes(from as JsonObject, to as JsonObject, [])];
  // The specification requires an action; this one changes nothing.
  return { overlay: '1.0.0', info, actions: actions.length > 0 ? actions : [{ target: '$', update: {} }] };
}

/** The actions that turn the object `from` at `path` into `to`: removals, additions, then nested changes. */
function* changes(from: JsonObject, to: JsonObject, path: Path): Generator<OverlayAction> {
  const kept = Object.keys(from).filter(
    (key) => memberOf(to, key) !== undefined && !isReplaced(memberOf(from, key), memberOf(to, key)),
  );
  for (const key of Object.keys(from)) {
    const isScalarChange =
      memberOf(to, key) !== undefined && isScalar(memberOf(from, key)) && isScalar(memberOf(to, key));
    if (!kept.includes(key) && !isScalarChange) yield { target: jsonPath([...path, key]), remove: true };
  }
  const added = Object.entries(to).filter(([key]) => !kept.includes(key));
  if (added.length > 0) yield { target: jsonPath(path), update: structuredClone(Object.fromEntries(added)) };
  for (const key of kept) yield* changesWithin(memberOf(from, key) as Json, memberOf(to, key) as Json, [...path, key]);
}

/** As `changes`, for two values that need not be replaced. */
function* changesWithin(from: Json, to: Json, path: Path): Generator<OverlayAction> {
  if (isObject(from) && isObject(to)) yield* changes(from, to, path);
  if (!Array.isArray(from) || !Array.isArray(to)) return;
  for (const [at, item] of from.entries()) yield* changesWithin(item, to[at] as Json, [...path, at]);
}

/** Neither two objects nor lists that differ in objects only. References are replaced: some tools resolve `update: { $ref: … }` first. */
function isReplaced(from: Json | undefined, to: Json | undefined): boolean {
  if (isObject(from) && isObject(to)) return from.$ref !== to.$ref;
  if (!Array.isArray(from) || !Array.isArray(to)) return from !== to;
  return from.length !== to.length || from.some((item, at) => isReplaced(item, to[at]));
}

const isScalar = (value: Json | undefined): boolean => typeof value !== 'object' || value === null;

/** A JSONPath (RFC 9535) to one node; names with other characters than letters, digits and underscores are quoted. */
function jsonPath(path: Path): string {
  const segments = path.map((part) => {
    if (typeof part === 'number') return `[${part}]`;
    return /^[A-Za-z_]\w*$/.test(part) ? `.${part}` : `['${part.replaceAll(/[\\']/g, '\\$&')}']`;
  });
  return `$${segments.join('')}`;
}
