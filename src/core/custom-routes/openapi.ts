import { pathMatcher } from '../routes.ts';
import { dereferenced, isObject, type JsonObject } from '../spec/json.ts';
import type { RouteName } from './compile.ts';
import type { Route, RouteAnswer, RouteAuth, RouteProblem, RouteRequest } from './route.ts';

/** A custom OpenAPI document. */
export type OpenApiDocument = { readonly openapi: string; readonly paths?: object };

/** What answers by an OpenAPI document: Prism, in a process of the server. */
export interface DocumentServer {
  /** @throws Error if it is not running any more */
  ask(request: RouteRequest): Promise<RouteAnswer>;
  close(): void;
}

/** Starts what answers by a document. @param file its path, if it is in a file @throws ConfigError if it cannot be loaded */
export type ServeDocument = (document: OpenApiDocument, file: string | undefined) => Promise<DocumentServer>;

export const isOpenApi = (value: unknown): boolean => isObject(value) && ('openapi' in value || 'swagger' in value);

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
const auths = ['none', 'required', 'administrator'];

/** A document's operations as routes that pass each request on. `nameOf` takes methods in lower case. */
export function openApiRoutes(
  document: JsonObject,
  nameOf: (path: string, method: string) => RouteName,
  ask: DocumentServer['ask'],
) {
  const problems: RouteProblem[] = [];
  const routes: Route[] = [];
  if (!isObject(document.paths)) problems.push({ path: ['paths'], text: 'paths is missing: the operations to serve' });
  for (const [path, sentItem] of Object.entries((document.paths ?? {}) as JsonObject)) {
    const item = isObject(sentItem) ? dereferenced(sentItem, document) : {};
    if (isObject(sentItem) && typeof sentItem.$ref === 'string' && !sentItem.$ref.startsWith('#')) {
      const text = `${sentItem.$ref} is in another file: a path needs its operations here`;
      problems.push({ path: ['paths', path, '$ref'], text });
    }
    for (const method of methods) {
      const operation = item[method];
      if (!isObject(operation)) continue;
      const { 'x-mock-auth': auth = 'none', 'x-mock-override': override, summary, description } = operation;
      if (typeof auth !== 'string' || !auths.includes(auth)) {
        const text = `x-mock-auth must be one of ${auths.join(', ')}`;
        problems.push({ path: ['paths', path, method, 'x-mock-auth'], text });
      }
      routes.push({
        ...nameOf(path, method),
        method: method.toUpperCase(),
        path,
        paramsOf: pathMatcher(path),
        auth: auth as RouteAuth,
        override: override === true,
        times: undefined,
        when: undefined,
        isTotal: true,
        takesPreferences: true,
        answer: ({ request }) => ask({ ...request, method: method.toUpperCase() }),
        operation: {
          summary: summary ?? description ?? 'A custom route.',
          responses: { default: { description: 'As your document says.' } },
        },
      });
    }
  }
  return { routes, problems };
}
