interface Route {
  /** In capitals. */
  readonly method: string;
  /** As in the document: `/v1/things/{id}`. */
  readonly path: string;
}

interface PathRoutes<T> {
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly methods: ReadonlyMap<string, T>;
}

/** What a request's method and path come to. */
export type Found<T> =
  | { readonly operation: T; readonly params: Readonly<Record<string, string>> }
  /** The path has other methods only. */
  | { readonly methods: readonly string[] }
  /** A percent escape in the path is not valid. */
  | 'bad-escape'
  | undefined;

/** Finds a route by method and path (without its query), path parameters decoded. */
export type FindRoute<T> = (method: string, path: string) => Found<T>;

/** Compiles routes once. Literal paths come before templates, and templates in the order of the routes. */
export function routeTable<T extends Route>(routes: readonly T[]): FindRoute<T> {
  const paths = new Map<string, Map<string, T>>();
  for (const route of routes) paths.set(route.path, (paths.get(route.path) ?? new Map()).set(route.method, route));
  const literal = new Map([...paths].filter(([path]) => !path.includes('{')));
  const templates = [...paths].filter(([path]) => path.includes('{')).map(([path, methods]) => compiled(path, methods));

  return (method, path) => {
    const fixed = literal.get(path);
    if (fixed) return chosen(fixed, method, () => ({}));
    for (const { pattern, names, methods } of templates) {
      const values = pattern.exec(path);
      if (values) return chosen(methods, method, () => decoded(names, values));
    }
    return undefined;
  };
}

function chosen<T>(
  methods: ReadonlyMap<string, T>,
  method: string,
  paramsOf: () => Record<string, string> | undefined,
): Found<T> {
  const operation = methods.get(method);
  if (!operation) return { methods: [...methods.keys()] };
  const params = paramsOf();
  return params ? { operation, params } : 'bad-escape';
}

function compiled<T>(path: string, methods: ReadonlyMap<string, T>): PathRoutes<T> {
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
  const source = path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{[^{}]+\}/g, '([^/]+)');
  return { pattern: new RegExp(`^${source}$`), names, methods };
}

function decoded(names: readonly string[], values: RegExpExecArray): Record<string, string> | undefined {
  try {
    const params: Record<string, string> = {};
    for (const [at, name] of names.entries()) params[name] = decodeURIComponent(values[at + 1] ?? '');
    return params;
  } catch {
    return undefined;
  }
}
