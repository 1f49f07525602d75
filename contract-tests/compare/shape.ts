import { isPathOf, OPERATIONS } from '../api/operations.ts';
import type { Exchange } from '../model.ts';
import { CUT } from '../report/text.ts';
import { isObject, parseJson } from '../values/json.ts';
import { relativeTo } from '../values/url.ts';

/** The fields of bodies and the types they were seen with: `user.email` -> string, `[].id` -> string. */
export type Shape = Map<string, Set<string>>;

/** What a request is, without ids and values: `PATCH /v1/echo/recordings/{id} {title: string}`. */
export function signatureOf({ request }: Exchange, baseUrl: string, names: ReadonlyMap<string, string>): string {
  const [path = '', query = ''] = relativeTo(baseUrl, request.url).split('?');
  const parameters = [...new Set(new URLSearchParams(query).keys())].toSorted();
  const bearer = Object.keys(request.headers).some((name) => name.toLowerCase() === 'authorization');
  return [
    request.method,
    (names.get(path) ?? withoutIds(path)) + (parameters.length > 0 ? `?${parameters.join('&')}` : ''),
    ...(request.body === undefined ? [] : [bodyText(request.body)]),
    ...(bearer ? [] : ['without credentials']),
  ].join(' ');
}

/** Ids as `{id}`: those in the paths of the document, and UUIDs anywhere. */
function withoutIds(path: string): string {
  const known = (['recording', 'api-keys'] as const).find((operation) => isPathOf(operation, path));
  if (known) return OPERATIONS[known].path.replace(/\{\w+\}/, '{id}');
  return path.replaceAll(/\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\/|$)/gi, '/{id}');
}

function bodyText(text: string): string {
  const json = parseJson(text);
  if (!isObject(json)) return '(another body)';
  const fields = Object.entries(json).map(([name, value]) => `${name}: ${typeOf(value)}`);
  return `{${fields.toSorted().join(', ')}}`;
}

/** `200 application/json`, the media type without its parameters. */
export function kindOf(response: NonNullable<Exchange['response']>): string {
  const mediaType = response.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  return mediaType ? `${response.status} ${mediaType}` : String(response.status);
}

/** The fields of a body; undefined when it is not JSON, or was cut. */
export function shapeOf(body: string): Shape | undefined {
  const json = CUT.test(body) ? undefined : parseJson(body);
  if (json === undefined) return undefined;
  const shape: Shape = new Map();
  collect(json, '', shape);
  return shape;
}

function collect(value: unknown, path: string, shape: Shape): void {
  const types = shape.get(path) ?? new Set<string>();
  types.add(typeOf(value));
  shape.set(path, types);
  if (Array.isArray(value)) for (const item of value) collect(item, `${path}[]`, shape);
  else if (isObject(value)) {
    for (const [name, item] of Object.entries(value)) collect(item, path === '' ? name : `${path}.${name}`, shape);
  }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** The differences of two shapes, a phrase each. What depends on the data does not count: null, and empty lists. */
export function shapeDifferences(left: Shape, right: Shape): string[] {
  const paths = [...new Set([...left.keys(), ...right.keys()])];
  return paths.flatMap((path) => {
    const [a, b] = [left.get(path), right.get(path)];
    const name = path === '' ? 'the body' : path;
    if (a && b) {
      const [here, there] = [a, b].map((types) =>
        [...types]
          .filter((type) => type !== 'null')
          .toSorted()
          .join(' or '),
      );
      return here === there || here === '' || there === '' ? [] : [`${name} is ${here} at A, ${there} at B`];
    }
    // A field of something that the other side never showed is not missing there.
    if (!(a ? right : left).has(parentOf(path))) return [];
    return path.endsWith('[]') ? [] : [`${name} (${[...(a ?? b ?? [])].join(' or ')}) is at ${a ? 'A' : 'B'} only`];
  });
}

function parentOf(path: string): string {
  if (path.endsWith('[]')) return path.slice(0, -2);
  const dot = path.lastIndexOf('.');
  return dot === -1 ? '' : path.slice(0, dot);
}
