import { hasMember } from '../../../contract-tests/values/json.ts';
import { apiFor } from '../../core/api.ts';
import { bySpecificity, compileRoute } from '../../core/custom-routes/compile.ts';
import type { RouteSet } from '../../core/custom-routes/loaded-routes.ts';
import {
  type DocumentServer,
  isOpenApi,
  type OpenApiDocument,
  openApiRoutes,
  type ServeDocument,
} from '../../core/custom-routes/openapi.ts';
import type { Route, RouteDefinition, RouteModule, RouteProblem } from '../../core/custom-routes/route.ts';
import type { Answers } from '../../core/profiles/answers.ts';
import { didYouMean } from '../../core/profiles/did-you-mean.ts';
import { ConfigError } from '../../core/spec/config-error.ts';
import { isObject, type JsonObject } from '../../core/spec/document.ts';
import type { CustomRecord } from '../../core/world/records.ts';
import { pathProblems, routeProblems, tableProblems } from './check.ts';
import { shadowedRoutes } from './shadows.ts';

export interface RouteSource {
  readonly value: unknown;
  /** Its path, if it is a file. */
  readonly file?: string;
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

/**
 * The routes of all sources, checked, compiled and compared with the API; throws ConfigError naming every mistake.
 * @param serveDocument what starts a server for an OpenAPI document; undefined where no process can be started
 */
export async function routesFor(
  sources: readonly RouteSource[],
  answers: Answers,
  serveDocument?: ServeDocument,
): Promise<RouteSet> {
  const problems: string[] = [];
  const servers = new Map<RouteSource, DocumentServer>();
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
    const found = isOpenApi(source.value) ? openApi(source, keyOf, servers) : await module(source, keyOf);
    problems.push(...found.problems);
    if (isOpenApi(source.value) && !serveDocument)
      problems.push(
        source.reason(
          [],
          'an OpenAPI document is answered by Prism, a process: `platform-mock serve --routes` starts it; for MSW, there is @mswjs/source',
        ),
      );
    routes.push(...found.routes);
    for (const [name, records] of Object.entries(found.tables))
      tables.set(name, [...(tables.get(name) ?? []), ...records]);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  const shadowed = shadowedRoutes(routes, await apiFor(answers));
  if (shadowed.length > 0) throw new ConfigError(shadowed);
  const close = (): void => {
    for (const server of servers.values()) server.close();
  };
  try {
    for (const source of sources.filter(({ value }) => isOpenApi(value))) {
      const server = await serveDocument?.(source.value as OpenApiDocument, source.file);
      if (server) servers.set(source, server);
    }
  } catch (error) {
    close();
    throw error;
  }
  return { routes: bySpecificity(routes), tables, sources: sources.map(({ value }) => value), close };
}

interface Found {
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

function openApi(source: RouteSource, keyOf: KeyOf, servers: ReadonlyMap<RouteSource, DocumentServer>): Found {
  const nameOf = (path: string, method: string) => ({
    key: keyOf(method.toUpperCase(), path),
    source: source.placeOf(['paths', path, method]),
  });
  const { routes, problems } = openApiRoutes(source.value as JsonObject, nameOf, async (request) => {
    const server = servers.get(source);
    if (!server) throw new Error('what answers by this document is not running');
    return server.ask(request);
  });
  const ofPaths = routes.flatMap(({ path, method }) =>
    pathProblems(path).map(({ text }) => ({ path: ['paths', path, method.toLowerCase()], text })),
  );
  return { problems: [...problems, ...ofPaths].map(({ path, text }) => source.reason(path, text)), routes, tables: {} };
}
