import { isObject, type JsonObject } from '../spec/document.ts';
import type { Json } from '../spec/gaps.ts';

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
export function tellAssumed(element: Json, inherited: Basis = unknownBasis, isNamed = false): Json {
  if (Array.isArray(element)) return element.map((item) => tellAssumed(item, inherited, isNamed));
  if (!isObject(element)) return element;
  const basis = basisOf(element, inherited);
  const below = basis.isDocumented ? unknownBasis : basis;
  const told = Object.entries(element).map(([key, value]): [string, Json] => {
    if (verbatim.has(key)) return [key, value];
    if (!containers.has(key)) return [key, tellAssumed(value, below)];
    return [key, Array.isArray(value) ? tellAssumed(value, below, true) : membersOf(value, below)];
  });
  const open = basis.gaps.length > 0 ? opened(Object.fromEntries(told)) : Object.fromEntries(told);
  const isToldHere = basis.gaps.length > 0 && (isNamed || element['x-gap'] !== undefined);
  return isToldHere ? { ...open, description: described(element.description, basis) } : open;
}

const membersOf = (members: Json, basis: Basis): Json =>
  isObject(members)
    ? Object.fromEntries(Object.entries(members).map(([name, member]) => [name, tellAssumed(member, basis, true)]))
    : members;

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
