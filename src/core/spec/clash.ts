import { apiTemplate, type HttpMethod, httpMethods, type JsonObject } from './document.ts';
import type { GapAnswers, GapId } from './gaps.ts';

/** Two operations on the same method and path, because of answers. */
export interface Clash {
  readonly method: HttpMethod;
  /** The path that the answer chose. */
  readonly path: string;
  /** Operation ids, in the order of the document. */
  readonly operations: readonly [string, string];
  /** The gaps whose answers decide the paths. */
  readonly gaps: readonly GapId[];
}

interface Placed {
  readonly path: string;
  readonly gap: GapId | undefined;
  readonly item: JsonObject;
}

/** Clashes among the paths under `answers`, including paths that match another path's template. */
export function clashes(answers: GapAnswers): Clash[] {
  const placed = Object.entries(apiTemplate().paths as JsonObject).map(([written, item]): Placed => {
    const gap = (item as JsonObject)['x-path'] as GapId | undefined;
    return { path: gap === undefined ? written : String(answers[gap]), gap, item: item as JsonObject };
  });
  return placed.flatMap((right, at) => placed.slice(0, at).flatMap((left) => clashOf(left, right)));
}

/** Method, path and operations of a clash, e.g. `POST /v1/auth/login: login and refreshAccessToken`. */
export const clashText = ({ method, path, operations }: Clash): string =>
  `${method.toUpperCase()} ${path}: ${operations.join(' and ')}`;

function clashOf(left: Placed, right: Placed): Clash[] {
  if (!overlap(left.path, right.path)) return [];
  const gaps = [left.gap, right.gap].filter((gap) => gap !== undefined);
  const path = (right.gap === undefined ? left : right).path;
  return httpMethods
    .filter((method) => left.item[method] !== undefined && right.item[method] !== undefined)
    .map((method) => ({ method, path, operations: [idOf(left, method), idOf(right, method)], gaps }));
}

const idOf = ({ item }: Placed, method: HttpMethod): string => String((item[method] as JsonObject).operationId);

function overlap(left: string, right: string): boolean {
  const [a, b] = [left.split('/'), right.split('/')];
  return (
    a.length === b.length && a.every((part, at) => part === b[at] || part.startsWith('{') || b[at]?.startsWith('{'))
  );
}
