import { apiTemplate, httpMethods, type JsonObject } from './document.ts';
import type { GapAnswers, GapId } from './gaps.ts';

/** Two operations on the same method and path, because of answers. */
interface Clash {
  /** `POST /v1/auth/login: login and refreshAccessToken` */
  readonly text: string;
  /** The gaps whose answers decide the paths. */
  readonly gaps: readonly GapId[];
}

/** Clashes among the paths under `answers`, including paths that match another path's template. */
export function clashes(answers: GapAnswers): Clash[] {
  const placed = Object.entries(apiTemplate().paths as Record<string, JsonObject>).flatMap(([written, item]) => {
    const gap = item['x-path'] as GapId | undefined;
    const path = gap === undefined ? written : String(answers[gap]);
    return httpMethods.flatMap((method) => {
      const operation = item[method] as JsonObject | undefined;
      return operation ? [{ method, path, gap, id: String(operation.operationId) }] : [];
    });
  });
  return placed.flatMap((right, at) =>
    placed
      .slice(0, at)
      .filter((left) => left.method === right.method && overlap(left.path, right.path))
      .map((left) => {
        const { path } = right.gap === undefined ? left : right;
        return {
          text: `${right.method.toUpperCase()} ${path}: ${left.id} and ${right.id}`,
          gaps: [left.gap, right.gap].filter((gap) => gap !== undefined),
        };
      }),
  );
}

function overlap(left: string, right: string): boolean {
  const [a, b] = [left.split('/'), right.split('/')];
  return (
    a.length === b.length && a.every((part, at) => part === b[at] || part.startsWith('{') || b[at]?.startsWith('{'))
  );
}
