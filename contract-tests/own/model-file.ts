import { dirname, resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import { checkBySchema, type DidYouMean } from '../files/schema-check.ts';
import { readYamlFile } from '../files/yaml-file.ts';
import { loadModel, type Model, type OwnRequest, type Value } from '../plan/model.ts';
import { isObject } from '../values/json.ts';

type Given = Omit<OwnRequest, 'method' | 'path' | 'as'> &
  Partial<Pick<OwnRequest, 'method' | 'path' | 'as'>> & { operation?: string };

/** A file of `--model` (spec/schemas/model.schema.json): the form of spec/coverage.yaml. */
interface ModelFile {
  recording?: { dimensions: Record<string, Value[]> };
  'api-keys'?: { dimensions: Record<string, Value[]> };
  openapi?: string;
  requests?: Given[];
}

/**
 * The model with the values and requests of a file. Its values are odd: a conforming target may refuse them.
 * @throws UsageError with file, line and reason
 */
export function modelWith(file: string, didYouMean?: DidYouMean): Model {
  const { map, where } = readYamlFile(file, 'the model');
  if (!map) throw new UsageError(`${file}: a model is a map with recording, api-keys, openapi and requests.`);
  const given = checkBySchema<ModelFile>('model', map, where, didYouMean);
  const model = loadModel();
  const merged = (part: 'recording' | 'api-keys'): Model[typeof part] => {
    const dimensions = { ...model[part].dimensions };
    for (const [name, values] of Object.entries(given[part]?.dimensions ?? {})) {
      assertNew(values, dimensions[name] ?? [], (at) => where([part, 'dimensions', name, at]));
      dimensions[name] = [...(dimensions[name] ?? []), ...values.map((value): Value => ({ ...value, odd: true }))];
    }
    return { ...model[part], dimensions };
  };
  const operations = given.openapi === undefined ? undefined : operationsIn(resolve(dirname(file), given.openapi));
  const requests = given.requests ?? [];
  assertNew(requests, [], (at) => where(['requests', at]));
  const requestAt = (at: number, { operation, method, path, as = ['admin.jwt'], ...rest }: Given): OwnRequest => {
    const here = where(['requests', at]);
    if ((operation === undefined) === (path === undefined) || (operation !== undefined && method !== undefined))
      throw new UsageError(`${here}: a request has path (and method), or operation.`);
    if (path !== undefined) return { ...rest, as, method: method ?? 'GET', path };
    if (!operations) throw new UsageError(`${here}: operation needs openapi, the document that it is of.`);
    const found = operations.get(String(operation));
    if (found) return { ...rest, as, ...found };
    const hint = didYouMean?.(String(operation), [...operations.keys()]) ?? '.';
    throw new UsageError(`${here}: ${given.openapi} has no operation ${operation} by GET, POST or PATCH${hint}`);
  };
  return {
    ...model,
    recording: merged('recording'),
    'api-keys': merged('api-keys'),
    requests: requests.map((request, at) => requestAt(at, request)),
  };
}

function assertNew(
  values: readonly { id: string }[],
  known: readonly { id: string }[],
  placeOf: (at: number) => string,
) {
  for (const [at, { id }] of values.entries())
    if ([...known, ...values.slice(0, at)].some((each) => each.id === id))
      throw new UsageError(`${placeOf(at)}: there is ${id} already.`);
}

/** The operations of an OpenAPI document that may be asked, by their ids; nothing else of it is read. */
function operationsIn(file: string): Map<string, Pick<OwnRequest, 'method' | 'path'>> {
  const { map } = readYamlFile(file, 'the OpenAPI document');
  if (!isObject(map?.paths)) throw new UsageError(`${file}: not an OpenAPI document: it has no paths.`);
  return new Map(
    Object.entries(map.paths).flatMap(([path, item]) =>
      (['GET', 'POST', 'PATCH'] as const).flatMap((method) => {
        const operation = isObject(item) ? item[method.toLowerCase()] : undefined;
        const id = isObject(operation) ? operation.operationId : undefined;
        return typeof id === 'string' ? [[id, { method, path }] as const] : [];
      }),
    ),
  );
}
