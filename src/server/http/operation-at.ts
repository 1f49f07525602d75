import type { Arrival } from '../../core/operations/behaviour.ts';
import { type ApiDocument, type OperationId, operationsOf } from '../../core/spec/document.ts';

interface Place {
  readonly method: string;
  readonly pattern: RegExp;
  readonly id: OperationId;
}

const places = new WeakMap<ApiDocument, readonly Place[]>();

/** The operation that a request is for, found before the pipeline looks at it: for faults that are armed for one. */
export function operationAt(document: ApiDocument, { method, url }: Arrival): OperationId | undefined {
  const known = places.get(document) ?? placesOf(document);
  places.set(document, known);
  const path = url.split('?')[0] ?? '';
  return known.find((place) => place.method === method && place.pattern.test(path))?.id;
}

const placesOf = (document: ApiDocument): Place[] =>
  operationsOf(document)
    // Literal paths before templates.
    .sort((left, right) => Number(left.path.includes('{')) - Number(right.path.includes('{')))
    .map(({ path, method, operation }) => ({
      method: method.toUpperCase(),
      pattern: new RegExp(`^${path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
      id: operation.operationId,
    }));
