import { hasMember } from '../../../contract-tests/values/json.ts';
import { apiFor } from '../../core/api.ts';
import { bySpecificity, compileRoute } from '../../core/custom-routes/compile.ts';
import type { RouteSet } from '../../core/custom-routes/loaded-routes.ts';
import { isOpenApi, type OpenApiDocument, openApiRoutes } from '../../core/custom-routes/openapi.ts';
import type { Route, RouteDefinition, RouteModule, RouteProblem } from '../../core/custom-routes/route.ts';
import type { Answers } from '../../core/profiles/answers.ts';
import { didYouMean } from '../../core/profiles/did-you-mean.ts';
import { ConfigError } from '../../core/spec/config-error.ts';
import { isObject, type JsonObject } from '../../core/spec/document.ts';
import type { CustomRecord } from '../../core/world/records.ts';
import type { Log } from '../../core/world/world.ts';
import { pathProblems, routeProblems, tableProblems } from './check.ts';
import { shadowedRoutes } from './shadows.ts';

export interface RouteSource {
  readonly value: unknown;
  /** The place of a member: `routes.yaml:12`. */
  placeOf(path: readonly (string | number)[]): string;
  /** A one-line reason: `routes.yaml:12:5: text`. */
  reason(path: readonly (string | number)[], text: string): string;
}

/** What `routes` accepts without files: a module's value, or an OpenAPI document. */
export type RouteValue = RouteModule | OpenApiDocument;

/** Values as sources, in the order of the option `routes`. */
export const valueSources = (values: readonly unknown[]): RouteSource[] =>
  values.map((value, position) => {
    const placeOf = (path: readonly (string | number)[]): string =>
      `routes[${position}]${path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('')}`;
    return { value, placeOf, reason: (path, text) => `${placeOf(path)}: ${text}` };
  });

/** The routes of all sources, checked, compiled and compared with the API; throws ConfigError naming every mistake. */
export async function routesFor(sources: readonly RouteSource[], answers: Answers, log: Log): Promise<RouteSet> {
  const problems: string[] = [];
  const notes: string[] = [];
  const routes: Route[] = [];
  const tables = new Map<string, readonly CustomRecord[]>();
  const keys = new Map<string, number>();
  const keyOf = (method: string, path: string): string => {
    const name = `${method} ${path}`;
    const count = (keys.get(name) ?? 0) + 1;
    keys.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  };
  for (const source of sources) {
    const found = isOpenApi(source.value) ? await openApi(source, keyOf) : await module(source, keyOf);
    problems.push(...found.problems);
    routes.push(...found.routes);
    notes.push(...(found.notes ?? []));
    for (const [name, records] of Object.entries(found.tables))
      tables.set(name, [...(tables.get(name) ?? []), ...records]);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  const shadowed = shadowedRoutes(routes, await apiFor(answers));
  if (shadowed.length > 0) throw new ConfigError(shadowed);
  for (const note of notes) log('info', note);
  return { routes: bySpecificity(routes), tables, sources: sources.map(({ value }) => value) };
}

interface Found {
  readonly notes?: readonly string[];
  readonly problems: readonly string[];
  readonly routes: readonly Route[];
  readonly tables: NonNullable<RouteModule['tables']>;
}

type KeyOf = (method: string, path: string) => string;

const members = ['routes', 'tables'];

async function module(source: RouteSource, keyOf: KeyOf): Promise<Found> {
  const { value } = source;
  // A list contains only routes.
  const place = Array.isArray(value) ? [] : ['routes'];
  const given: JsonObject = Array.isArray(value) ? { routes: value } : isObject(value) ? value : {};
  const { routes, tables, ...rest } = given;
  const problems = Object.keys(rest).map((name) =>
    source.reason([name], `${name} is unknown; allowed: ${members.join(', ')}${didYouMean(name, members)}`),
  );
  const isEmpty = Array.isArray(routes) && routes.length === 0 && tables === undefined;
  if ((!Array.isArray(routes) || isEmpty) && problems.length === 0)
    problems.push(source.reason(place, 'expected routes: a list of routes, or an OpenAPI document'));
  const list: readonly unknown[] = Array.isArray(routes) ? routes : [];
  for (const [at, definition] of list.entries())
    for (const { path, text } of await definitionProblems(definition))
      problems.push(source.reason([...place, at, ...path], text));
  for (const { path, text } of tableProblems(tables)) problems.push(source.reason(['tables', ...path], text));
  if (problems.length > 0) return { problems, routes: [], tables: {} };
  const compiled = (list as readonly RouteDefinition[]).map((definition, at) => {
    const key = keyOf(definition.method ?? 'GET', definition.path);
    return compileRoute(definition, { key, source: source.placeOf([...place, at]) });
  });
  return { problems, routes: compiled, tables: (tables ?? {}) as unknown as Found['tables'] };
}

async function definitionProblems(definition: unknown): Promise<readonly RouteProblem[]> {
  if (!isObject(definition) || !('answer' in definition)) return routeProblems(definition);
  const { answer, ...rule } = definition;
  if (typeof answer !== 'function')
    return [
      {
        path: ['answer'],
        text: 'answer must be a function, which a file of data cannot hold; data has status, headers and body',
      },
    ];
  const both = ['status', 'headers', 'body', 'delay', 'answers', 'after'].filter((name) => hasMember(rule, name));
  if (both.length > 0)
    return both.map((name) => ({ path: [name], text: `${name} is not allowed with answer: the function returns it` }));
  return routeProblems(rule);
}

async function openApi(source: RouteSource, keyOf: KeyOf): Promise<Found> {
  const { routes, problems, notes } = await openApiRoutes(source.value as OpenApiDocument, (path, method) => ({
    key: keyOf(method.toUpperCase(), path),
    source: source.placeOf(['paths', path, method]),
  }));
  const ofPaths = routes.flatMap(({ path, method }) =>
    pathProblems(path).map(({ text }) => ({ path: ['paths', path, method.toLowerCase()], text })),
  );
  const reasons = (found: readonly RouteProblem[]): string[] =>
    found.map(({ path, text }) => source.reason(path, text));
  return { problems: reasons([...problems, ...ofPaths]), routes, tables: {}, notes: reasons(notes) };
}
