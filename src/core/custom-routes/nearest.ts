import type { Exchange } from '../exchange.ts';
import { pathOf } from '../message.ts';
import { similarity } from '../profiles/did-you-mean.ts';
import { candidatesFor, routesOf } from './find.ts';
import type { Route } from './route.ts';

const minSimilarity = 0.5;

/** Methods of custom routes at a path, for Allow. */
export const methodsAt = ({ world }: Exchange, path: string): string[] => [
  ...new Set(candidatesFor(world, path).map(({ route }) => route.method)),
];

/** For an error message: the most similar custom route and its differences from this request; empty if none is similar. */
export function nearestRoute(exchange: Exchange): string {
  const rated = routesOf(exchange.world)
    .map((route) => ({ route, ...ratingOf(exchange, route) }))
    .filter(({ score }) => score >= minSimilarity)
    .sort((a, b) => b.score - a.score);
  const [best] = rated;
  if (!best) return '';
  const { method, path, source } = best.route;
  const differences = best.differences.length > 0 ? best.differences : ['it left this request to others'];
  return ` The nearest of your routes is ${method} ${path} (${source}): ${differences.join('; ')}.`;
}

/** Similarity of a request to a route, from 0 to 1, and the differences. */
function ratingOf(exchange: Exchange, route: Route): { score: number; differences: string[] } {
  const { received, world, routeRequest } = exchange;
  const path = pathOf(received.url).slice(0, 200);
  const isPath = candidatesFor(world, path).some((candidate) => candidate.route === route);
  const isMethod = route.method === (received.method === 'HEAD' ? 'GET' : received.method);
  const differences = [
    ...(isMethod ? [] : [`the method must be ${route.method}, and is ${received.method.slice(0, 20)}`]),
    ...(isPath ? [] : [`the path is ${path}`]),
    ...(isPath && routeRequest ? route.differences(routeRequest) : []),
  ];
  const served = world.custom.servedBy(route.key);
  if (route.times !== undefined && served >= route.times)
    differences.push(`it has answered ${served} ${served === 1 ? 'time' : 'times'}, as often as it may`);
  const likeness = isPath ? 1 : 0.9 * similarity(withParameters(route.path, path), path);
  return { score: likeness - (isMethod ? 0 : 0.2) - 0.01 * differences.length, differences };
}

function withParameters(template: string, path: string): string {
  const sent = path.split('/');
  return template
    .split('/')
    .map((segment, at) => (segment.includes('{') ? (sent[at] ?? '') : segment))
    .join('/');
}
