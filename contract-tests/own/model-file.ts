import { dirname, resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import { checkBySchema, type DidYouMean } from '../files/schema-check.ts';
import { readYamlFile } from '../files/yaml-file.ts';
import { loadModel, type Model, type OwnRequest, type Value } from '../plan/model.ts';
import { asText, isObject, memberOf, setMember } from '../values/json.ts';

/** A file of `--model` (spec/schemas/model.schema.json): the form of spec/coverage.yaml. */
interface ModelFile extends Partial<Record<'recording' | 'api-keys', { dimensions: Record<string, Value[]> }>> {
  openapi?: string;
  requests?: (Partial<OwnRequest> & Pick<OwnRequest, 'id' | 'why'> & { operation?: string })[];
}

/** The model with what a file adds, which is odd: a conforming target may refuse it. Throws UsageError with file, line and reason. */
export function modelWith(file: string, didYouMean?: DidYouMean): Model {
  const { map, where } = readYamlFile(file, 'the model');
  if (!map) throw new UsageError(`${file}: a model is a map with recording, api-keys, openapi and requests.`);
  const { openapi, requests = [], ...given } = checkBySchema<ModelFile>('model', map, where, didYouMean);
  const model = loadModel();
  const added = <T extends { id: string }>(known: readonly T[], more: readonly T[], path: string[]): T[] => {
    for (const [at, { id }] of more.entries())
      if ([...known, ...more.slice(0, at)].some((each) => each.id === id))
        throw new UsageError(`${where([...path, String(at)])}: there is ${id} already.`);
    return [...known, ...more];
  };
  const merged = (part: 'recording' | 'api-keys'): Model[typeof part] => {
    const dimensions = { ...model[part].dimensions };
    for (const [name, values] of Object.entries(given[part]?.dimensions ?? {})) {
      const odd = values.map((value): Value => ({ ...value, odd: true }));
      setMember(dimensions, name, added(memberOf(dimensions, name) ?? [], odd, [part, 'dimensions', name]));
    }
    return { ...model[part], dimensions };
  };
  const operations = openapi === undefined ? new Map() : operationsIn(resolve(dirname(file), openapi));
  const requested = requests.map(({ operation, ...request }, at): OwnRequest => {
    const found = operation === undefined ? request : operations.get(operation);
    if (found?.path !== undefined) return { method: 'GET', as: ['admin.jwt'], ...request, ...found };
    const hint = (operation && openapi && didYouMean?.(operation, [...operations.keys()])) || '.';
    const form = 'a request has path, or operation, which openapi has by GET, POST, PUT, PATCH or DELETE';
    throw new UsageError(`${where(['requests', String(at)])}: ${form}${hint}`);
  });
  const parts = { recording: merged('recording'), 'api-keys': merged('api-keys') };
  return { ...model, ...parts, requests: added([], requested, ['requests']) };
}

/** The operations of an OpenAPI document that may be asked, by their ids; nothing else of it is read. */
function operationsIn(file: string): Map<string, Pick<OwnRequest, 'method' | 'path'>> {
  const { map } = readYamlFile(file, 'the OpenAPI document');
  if (!isObject(map?.paths)) throw new UsageError(`${file}: not an OpenAPI document: it has no paths.`);
  const operations = new Map<string, Pick<OwnRequest, 'method' | 'path'>>();
  for (const [path, item] of Object.entries(map.paths))
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      const operation = isObject(item) ? memberOf(item, method.toLowerCase()) : undefined;
      if (isObject(operation)) operations.set(asText(operation.operationId), { method, path });
    }
  return operations;
}
