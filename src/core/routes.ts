import { setMember } from '../../contract-tests/values/json.ts';
export type RouteMatch<T> =
  | { readonly operation: T; readonly params: Readonly<Record<string, string>> }
  /** The path exists, with other methods only. */
  | { readonly methods: readonly string[] }
  /** The path has an invalid percent escape. */
  | 'bad-escape'
  | undefined;

/** Finds a route by method and path (without query); decodes path parameters. */
export type FindRoute<T> = (method: string, path: string) => RouteMatch<T>;

/** Compiles routes of a method in upper case and a path such as `/v1/things/{id}`. Literal paths take precedence over templates; templates are tried in the order of the routes. */
export function routeTable<T extends Record<'method' | 'path', string>>(routes: readonly T[]): FindRoute<T> {
  const paths = new Map<string, Map<string, T>>();
  for (const route of routes) paths.set(route.path, (paths.get(route.path) ?? new Map()).set(route.method, route));
  const templates = [...paths]
    .filter(([path]) => path.includes('{'))
    .map(([path, methods]) => ({ paramsOf: pathMatcher(path), methods }));

  const find: FindRoute<T> = (method, path) => {
    const fixed = path.includes('{') ? undefined : paths.get(path);
    if (fixed) return selectMethod(fixed, method, {});
    for (const { paramsOf, methods } of templates) {
      const params = paramsOf(path);
      if (params) return selectMethod(methods, method, params);
    }
    return undefined;
  };
  return (method, path) => find(method, path) ?? (path.includes('%') ? find(method, unescaped(path)) : undefined);
}

/** A percent-encoded letter or digit is that character, in literal parts of a path, too (RFC 3986, section 6.2.2.2). */
const unescaped = (path: string): string =>
  path.replaceAll(/%(?:3\d|[46][1-9a-f]|[57][\da])/gi, (code) => decodeURIComponent(code));

function selectMethod<T>(methods: ReadonlyMap<string, T>, method: string, params: PathParams): RouteMatch<T> {
  const operation = methods.get(method);
  if (!operation) return { methods: [...methods.keys()] };
  return params === 'bad-escape' ? params : { operation, params };
}

type PathParams = Record<string, string> | 'bad-escape';

/** Compiles a path template to a function that gives a path's decoded parameters; undefined if it does not match. */
export function pathMatcher(template: string): (path: string) => PathParams | undefined {
  const names = parameterNames(template);
  const source = template.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(parameter, '([^/]+)');
  const pattern = new RegExp(`^${source}$`);
  return (path) => {
    const values = pattern.exec(path);
    return values ? decodeParams(names, values) : undefined;
  };
}

const parameter = /\{([^{}]+)\}/g;

export const parameterNames = (template: string): string[] =>
  Array.from(template.matchAll(parameter), ([, name = '']) => name);

/** Templates of one shape take the same paths. */
export const shapeOf = (path: string): string => path.replaceAll(parameter, '{}');

function decodeParams(names: readonly string[], values: RegExpExecArray): PathParams {
  try {
    const params: Record<string, string> = {};
    for (const [at, name] of names.entries()) setMember(params, name, decodeURIComponent(values[at + 1] ?? ''));
    return params;
  } catch {
    return 'bad-escape';
  }
}
