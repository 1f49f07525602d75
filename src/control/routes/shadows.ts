import type { Api } from '../../core/api.ts';
import type { Route } from '../../core/custom-routes/route.ts';
import { shapeOf } from '../../core/routes.ts';

/** Why a new route would never answer because of others, one line each; none if it would. */
export function shadowsOf(route: Pick<Route, 'method' | 'path' | 'override'>, { find }: Pick<Api, 'find'>): string[] {
  if (route.override) return [];
  const found = find(route.method, route.path.replaceAll(/\{[^{}]+\}/g, 'x'));
  if (typeof found !== 'object' || !('operation' in found)) return [];
  return [
    `${route.method} ${route.path} is documented (${found.operation.id}), which answers; override: true answers in its place`,
  ];
}

/** Why routes would never answer, each with its place; none if they all would. */
export function shadowedRoutes(routes: readonly Route[], api: Pick<Api, 'find'>): string[] {
  const always = new Map<string, Route>();
  return routes.flatMap((route) => {
    const name = `${route.method} ${shapeOf(route.path)}`;
    const before = always.get(name);
    if (route.isTotal && !before) always.set(name, route);
    const reasons = shadowsOf(route, api);
    if (before && !route.override)
      reasons.push(
        `${route.method} ${route.path} never answers: ${before.source} does, always; give that one when or times, or this one override: true`,
      );
    return reasons.map((reason) => `${route.source}: ${reason}`);
  });
}
