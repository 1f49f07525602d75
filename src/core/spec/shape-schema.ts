import { isObject, type JsonObject } from './document.ts';
import type { GapAnswers, GapId, Json } from './gaps.ts';
import type { ErrorShape, Shape } from './json.ts';
import { memberName, onlyPlaceholder, placeholdersOf, shapeFor } from './shape.ts';

/** A shape and the shapes of its cases. */
export const variantsOf = (shape: ErrorShape): Shape[] => [shape, ...(shape.cases ?? [])];

/** Media types of the bodies of a shape; a template that is null has no body. */
export const mediaTypesOf = (shape: ErrorShape): string[] => [
  ...new Set(
    variantsOf(shape).flatMap(({ template, mediaType = 'application/json' }) => (template === null ? [] : [mediaType])),
  ),
];

/** The JSON Schema of the bodies that an answer to a gap defines; undefined if it defines none. */
export function shapeSchema(gap: GapId, answers: GapAnswers): JsonObject | undefined {
  const shape = shapeFor(gap, answers);
  if (!shape) return undefined;
  const schemas = variantsOf(shape)
    .filter(({ template }) => template !== null)
    .map(({ template }) => schemaOf(template, placeholdersOf(gap)));
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [only = {}] = different;
  return { 'x-gap': gap, ...(different.length > 1 ? { anyOf: different } : only) };
}

function schemaOf(template: Json, placeholders: Readonly<Record<string, JsonObject>>): JsonObject {
  if (typeof template === 'string') {
    const name = onlyPlaceholder(template);
    if (name === undefined) return { type: 'string', ...(template.includes('${') ? {} : { const: template }) };
    const { description: _, 'x-each': __, ...schema } = placeholders[name] ?? {};
    return schema;
  }
  if (Array.isArray(template)) {
    const items = template.map((item) => schemaOf(item, placeholders));
    return {
      type: 'array',
      ...(items.length > 0 && { items: items.length === 1 ? (items[0] ?? {}) : { anyOf: items } }),
    };
  }
  if (isObject(template)) return objectSchema(template, placeholders);
  return template === null ? { type: 'null' } : { const: template };
}

function objectSchema(template: JsonObject, placeholders: Readonly<Record<string, JsonObject>>): JsonObject {
  const members = Object.entries(template);
  const fixed = members.filter(([key]) => !key.includes('${'));
  const [dynamic] = members.filter(([key]) => key.includes('${'));
  return {
    type: 'object',
    required: fixed.flatMap(([key]) => (key.endsWith('?') ? [] : [key])),
    properties: Object.fromEntries(fixed.map(([key, value]) => [memberName(key), schemaOf(value, placeholders)])),
    ...(dynamic && fixed.length === 0 && { additionalProperties: schemaOf(dynamic[1], placeholders) }),
  };
}
