interface Route {
  readonly method: string;
  /** As in the document: `/v1/things/{id}`. */
  readonly path: string;
}

interface Place<T> {
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly methods: ReadonlyMap<string, T>;
}

/** Finds a route and its path parameters, decoded; `undefined` where there is none, and where an escape is broken. */
type Find<T> = (method: string, path: string) => { operation: T; params: Record<string, string> } | undefined;

/**
 * Patterns of paths, compiled once. Literal paths come before templates, and templates in the order of the routes.
 * @param routes in the order in which the validator would try them
 */
export function routeTable<T extends Route>(routes: readonly T[]): Find<T> {
  const paths = new Map<string, Map<string, T>>();
  for (const route of routes) paths.set(route.path, (paths.get(route.path) ?? new Map()).set(route.method, route));
  const literal = new Map([...paths].filter(([path]) => !path.includes('{')));
  const templates = [...paths].filter(([path]) => path.includes('{')).map(([path, methods]) => place(path, methods));

  return (method, path) => {
    const fixed = literal.get(path);
    if (fixed) {
      const operation = fixed.get(method);
      return operation && { operation, params: {} };
    }
    for (const { pattern, names, methods } of templates) {
      const values = pattern.exec(path);
      if (!values) continue;
      const operation = methods.get(method);
      const params = operation && decoded(names, values);
      return operation && params && { operation, params };
    }
    return undefined;
  };
}

function place<T>(path: string, methods: ReadonlyMap<string, T>): Place<T> {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
  const source = path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{[^}]+\}/g, '([^/]+)');
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
