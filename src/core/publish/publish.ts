import { asText, memberOf } from '../../../contract-tests/values/json.ts';
import { type Api, apiFor } from '../api.ts';
import { nextTurn } from '../slices.ts';
import { type ApiDocument, isObject, type JsonObject, operationsOf } from '../spec/document.ts';
import { dereferenced, type Json, mapMembers } from '../spec/json.ts';
import { pruneComponents } from '../spec/prune.ts';
import type { WorldImage } from '../world/state.ts';
import { World } from '../world/world.ts';
import { withoutEmpty } from './documented.ts';
import { type Example, examplesOf, type Handle } from './examples.ts';

/** A resolved document for readers and generators: examples, marked assumptions, open assumed values, no unused components. */
export function publish(document: ApiDocument, examples: readonly Example[] = []): JsonObject {
  const plain = document as unknown as JsonObject;
  const used = pruneComponents({ ...plain, paths: withAcceptedWords(plain.paths as JsonObject, document) }, []);
  const told = withoutEmpty(tellAssumed(used) as JsonObject);
  return { ...told, paths: placeExamples(told.paths as JsonObject, examples) };
}

/** The latest published document of each set of answers, and the state of the world whose examples it has. */
const made = new WeakMap<Api, { readonly image: WorldImage; readonly document: Promise<JsonObject> }>();

/** A world's document: its answers, and examples from its records; cached until its state changes. */
export async function publishedFor(world: World, handle: Handle, server?: string): Promise<JsonObject> {
  const api = await apiFor(world.answers);
  let known = made.get(api);
  // A fixed image: the world may change between the turns that this takes.
  const image = world.image();
  if (known?.image !== image) {
    known = { image, document: documentOf(api, new World(image, world.services), handle) };
    made.set(api, known);
    known.document.catch(() => made.delete(api));
  }
  return { ...(await known.document), ...(server !== undefined && { servers: [{ url: server }] }) };
}

async function documentOf({ document }: Api, world: World, handle: Handle): Promise<JsonObject> {
  const examples: Example[] = [];
  for (const { operation } of operationsOf(document)) {
    examples.push(...(await examplesOf(world, operation.operationId, handle)));
    await nextTurn();
  }
  return publish(document, examples);
}

/** Parameters accept an answer's words or any text of their pattern: compilers take any text, inventing tools use accepted ones. */
function withAcceptedWords(element: Json, document: ApiDocument): Json {
  if (!isObject(element) || element.in === undefined)
    return mapMembers(element, (member) => withAcceptedWords(member, document));
  return { ...element, schema: acceptedIn(element.schema as JsonObject, document) };
}

function acceptedIn(schema: JsonObject, document: ApiDocument): JsonObject {
  const target = dereferenced(schema, document);
  const parts = [target, ...((target.allOf ?? []) as JsonObject[]).map((part) => dereferenced(part, document))];
  const words = parts.find((part) => part.enum !== undefined && part['x-gap'] !== undefined)?.enum as
    | string[]
    | undefined;
  if (!words) return schema;
  const pattern = `^(${words.map((word) => word.replaceAll(/[^\w-]/g, '\\$&')).join('|')})$`;
  return {
    ...(target['x-source'] !== undefined && { 'x-source': target['x-source'] }),
    'x-gap': [...new Set(parts.flatMap((part) => part['x-gap'] ?? []))],
    anyOf: [
      { type: 'string', enum: words },
      { type: 'string', pattern },
    ],
  };
}

/** Keys whose members are elements by name or, for parameters, in a list. */
const containers = new Set(['parameters', 'responses', 'properties', 'schemas', 'securitySchemes', 'paths']);
const verbatim = new Set(['example', 'examples', 'x-answers', 'x-gap', 'x-source', 'enum', 'security', 'required']);

/** What is assumed about an element: the gaps, and whether the document states the element itself. */
interface Basis {
  readonly gaps: readonly string[];
  readonly isDocumented: boolean;
}

const unknownBasis: Basis = { gaps: [], isDocumented: true };

/** Describes what is assumed in an element and below. Assumed values stay open, for generated clients of other services. */
function tellAssumed(element: Json, inherited: Basis = unknownBasis, isNamed = false): Json {
  if (!isObject(element)) return mapMembers(element, (item) => tellAssumed(item, inherited, isNamed));
  const basis = basisOf(element, inherited);
  const below = basis.isDocumented ? unknownBasis : basis;
  const told = mapMembers(element, (value, key) => {
    if (verbatim.has(key)) return value;
    if (!containers.has(key)) return tellAssumed(value, below);
    return mapMembers(value, (member) => tellAssumed(member, below, true));
  }) as JsonObject;
  const open = basis.gaps.length > 0 ? opened(told) : told;
  const isToldHere = basis.gaps.length > 0 && (isNamed || element['x-gap'] !== undefined);
  return isToldHere ? { ...open, description: described(element.description, basis) } : open;
}

/** A gap covers the elements below it, except those that cite the document. */
function basisOf(element: JsonObject, inherited: Basis): Basis {
  const gaps = [element['x-gap'] ?? []].flat() as string[];
  const isDocumented = element['x-source'] !== undefined;
  if (gaps.length > 0) return { gaps, isDocumented };
  return isDocumented ? unknownBasis : inherited;
}

function described(before: Json | undefined, { gaps, isDocumented }: Basis): string {
  const told = `Assumed${isDocumented ? ' in part' : ''} (gap ${gaps.join(', ')}).`;
  return typeof before === 'string' ? `${before.replace(/[^.!?]$/, '$&.')} ${told}` : told;
}

/** A schema without its assumed pattern, constant or vocabulary; known words stay named. */
function opened(schema: JsonObject): JsonObject {
  if (schema.type !== 'string') return schema;
  const {
    pattern: _,
    const: constant,
    enum: words = constant === undefined ? undefined : [constant],
    ...open
  } = schema;
  if (words === undefined) return open;
  const { type: _type, ...rest } = open;
  return { ...rest, anyOf: [{ type: 'string', enum: words }, { type: 'string' }] };
}

/** The paths of a document with examples at parameters, request bodies and answers. */
const placeExamples = (paths: JsonObject, examples: readonly Example[]): Json =>
  mapMembers(paths, (item) => {
    const ids = Object.values(item as JsonObject).map((operation) => isObject(operation) && operation.operationId);
    return withExamples(
      item,
      examples.filter(({ operation }) => ids.includes(operation)),
    );
  });

/** `bodyIn`: what of an example is the body of a media type here. */
function withExamples(
  element: Json,
  examples: readonly Example[],
  bodyIn: (example: Example, type: string) => unknown = () => undefined,
): Json {
  if (!isObject(element)) return mapMembers(element, (item) => withExamples(item, examples, bodyIn));
  const { operationId = null, in: place, name } = element;
  const own = examples.filter(({ operation }) => operationId === null || operation === operationId);
  if (place !== undefined)
    return named(element, own, ({ sent }) => memberOf(place === 'path' ? sent?.params : sent?.query, asText(name)));
  return mapMembers(element, (member, key) => {
    if (key === 'requestBody') return withExamples(member, own, ({ sent }) => sent?.body);
    if (key === 'content')
      return mapMembers(member, (media, type) => named(media as JsonObject, own, (example) => bodyIn(example, type)));
    if (key !== 'responses') return withExamples(member, own, bodyIn);
    return mapMembers(member, (response, status) => {
      const those = own.filter((example) => String(example.status) === status);
      return withExamples(response, those, ({ mediaType, body }, type) => (mediaType === type ? body : undefined));
    });
  });
}

function named(element: JsonObject, examples: readonly Example[], valueIn: (example: Example) => unknown): JsonObject {
  const found = examples.flatMap((example) => {
    const value = valueIn(example) as Json | undefined;
    return value === undefined ? [] : [[example.name, { summary: example.summary, value }] as const];
  });
  return found.length > 0 ? { ...element, examples: Object.fromEntries(found) } : element;
}
