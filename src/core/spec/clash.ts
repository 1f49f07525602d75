import { asText, memberOf } from '../../../contract-tests/values/json.ts';
import { type ApiDocument, apiTemplate, type JsonObject, operationsOf } from './document.ts';
import type { GapAnswers, GapId } from './gaps.ts';

/** Two operations on one method and path under `answers`, also where a path matches the other's template; and the gaps that decide the paths. */
export function clashes(answers: GapAnswers) {
  const template = apiTemplate() as unknown as ApiDocument;
  const placed = operationsOf(template).map(({ path: written, method, operation }) => {
    const gap = (memberOf(template.paths, written) as JsonObject)['x-path'] as GapId | undefined;
    return { method, path: gap === undefined ? written : asText(answers[gap]), gap, id: operation.operationId };
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
