interface Route {
  /** In upper case. */
  readonly method: string;
  /** As in the document: `/v1/things/{id}`. */
  readonly path: string;
}

interface PathRoutes<T> {
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly methods: ReadonlyMap<string, T>;
}

export type RouteMatch<T> =
  | { readonly operation: T; readonly params: Readonly<Record<string, string>> }
  /** The path exists, with other methods only. */
  | { readonly methods: readonly string[] }
  /** The path has an invalid percent escape. */
  | 'bad-escape'
  | undefined;

/** Finds a route by method and path (without query); decodes path parameters. */
export type FindRoute<T> = (method: string, path: string) => RouteMatch<T>;

/** Compiles routes. Literal paths take precedence over templates; templates are tried in the order of the routes. */
export function routeTable<T extends Route>(routes: readonly T[]): FindRoute<T> {
  const paths = new Map<string, Map<string, T>>();
  for (const route of routes) paths.set(route.path, (paths.get(route.path) ?? new Map()).set(route.method, route));
  const literal = new Map([...paths].filter(([path]) => !path.includes('{')));
  const templates = [...paths]
    .filter(([path]) => path.includes('{'))
    .map(([path, methods]) => compilePath(path, methods));

  return (method, path) => {
    const fixed = literal.get(path);
    if (fixed) return selectMethod(fixed, method, () => ({}));
    for (const { pattern, names, methods } of templates) {
      const values = pattern.exec(path);
      if (values) return selectMethod(methods, method, () => decodeParams(names, values));
    }
    return undefined;
  };
}

function selectMethod<T>(
  methods: ReadonlyMap<string, T>,
  method: string,
  paramsOf: () => Record<string, string> | undefined,
): RouteMatch<T> {
  const operation = methods.get(method);
  if (!operation) return { methods: [...methods.keys()] };
  const params = paramsOf();
  return params ? { operation, params } : 'bad-escape';
}

/** Compiles a path template to a function that gives a path's decoded parameters; undefined if it does not match. */
export function pathMatcher(template: string): (path: string) => Record<string, string> | 'bad-escape' | undefined {
  const { pattern, names } = compilePath(template, new Map());
  return (path) => {
    const values = pattern.exec(path);
    return values ? (decodeParams(names, values) ?? 'bad-escape') : undefined;
  };
}

/** Templates of one shape take the same paths. */
export const shapeOf = (path: string): string => path.replaceAll(/\{[^{}]+\}/g, '{}');

function compilePath<T>(path: string, methods: ReadonlyMap<string, T>): PathRoutes<T> {
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
  const source = path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{[^{}]+\}/g, '([^/]+)');
  return { pattern: new RegExp(`^${source}$`), names, methods };
}

function decodeParams(names: readonly string[], values: RegExpExecArray): Record<string, string> | undefined {
  try {
    const params: Record<string, string> = {};
    for (const [at, name] of names.entries()) params[name] = decodeURIComponent(values[at + 1] ?? '');
    return params;
  } catch {
    return undefined;
  }
}
