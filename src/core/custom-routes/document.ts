import { memberOf, setMember } from '../../../contract-tests/values/json.ts';
import { parameterNames, shapeOf } from '../routes.ts';
import { isObject, type JsonObject } from '../spec/document.ts';
import type { World } from '../world/world.ts';
import { routesOf } from './compile.ts';
import type { Route } from './route.ts';

/** The API's document with the routes of a world, each marked `x-basis: yours`. */
export function withRoutes(document: JsonObject, world: World): JsonObject {
  const paths = { ...(document.paths as Record<string, JsonObject>) };
  const named = new Map(Object.keys(paths).map((path) => [shapeOf(path), path]));
  // In reverse: routes that are tried first replace the others.
  for (const route of routesOf(world).toReversed()) {
    const shape = shapeOf(route.path);
    const path = named.get(shape) ?? route.path;
    named.set(shape, path);
    const item = memberOf(paths, path) ?? {};
    const method = route.method.toLowerCase();
    const before = memberOf(item, method);
    // The documented operation answers, unless the route overrides it.
    if (isObject(before) && before['x-basis'] === undefined && !route.override) continue;
    setMember(paths, path, { ...item, [method]: merged(before, listed(route, path, Array.isArray(item.parameters))) });
  }
  return { ...document, paths };
}

/** Several routes with one method and path have the answers of all. */
function merged(before: unknown, operation: JsonObject): JsonObject {
  if (!isObject(before) || before['x-basis'] !== 'yours') return operation;
  return { ...operation, responses: { ...(before.responses as JsonObject), ...(operation.responses as JsonObject) } };
}

/** @param isInherited whether the path item has its parameters */
function listed({ operation, source, auth, when = {} }: Route, path: string, isInherited: boolean): JsonObject {
  return {
    ...operation,
    description: `Your route ${source}.`,
    'x-basis': 'yours',
    parameters: [
      ...(isInherited ? [] : parameterNames(path)).map((name) => parameter(name, 'path', true)),
      ...((operation.parameters as JsonObject[] | undefined) ?? []),
      // Optional, since other routes may answer without them.
      ...Object.keys(when.query ?? {}).map((name) => parameter(name, 'query', false)),
      ...Object.keys(when.headers ?? {}).map((name) => parameter(name, 'header', false)),
    ],
    // No security scheme, unless the route asks for a token.
    security: auth === 'none' ? [] : [{ bearer: [] }],
  };
}

const parameter = (name: string, place: string, required: boolean): JsonObject => ({
  name,
  in: place,
  required,
  schema: { type: 'string' },
});
