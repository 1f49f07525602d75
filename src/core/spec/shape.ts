import { asText, hasMember, memberOf, setMember } from '../../../contract-tests/values/json.ts';
import { type GapAnswers, type GapId, gapLedger } from './gaps.ts';
import { type ErrorShape, isObject, type Json, type JsonObject, type Shape } from './json.ts';

export type Values = Readonly<Record<string, unknown>>;

const placeholder = /\$\{(\w+)\}/g;
/** The name of the placeholder if a text is nothing but one. */
export const onlyPlaceholder = (text: string): string | undefined => /^\$\{(\w+)\}$/.exec(text)?.[1];

export function placeholdersOf(gap: GapId): Readonly<Record<string, JsonObject>> {
  return gapLedger().gaps.find(({ id }) => id === gap)?.placeholders ?? {};
}

/** The shape that an answer to a gap defines; undefined if the answer means no body. */
export function shapeFor(gap: GapId, answers: GapAnswers): ErrorShape | undefined {
  const answer: unknown = answers[gap];
  if (typeof answer !== 'string') return answer as ErrorShape;
  return memberOf(gapLedger().gaps.find(({ id }) => id === gap)?.shapes, answer);
}

/** What errors are to clients whose Accept does not name JSON: to those that accept anything, and to those without Accept. */
export const errorForms = (answers: GapAnswers) =>
  shapeFor('error-accept', answers) as unknown as Exclude<GapAnswers['error-accept'], string>;

/** Names of placeholders in a template that its gap does not define. */
export function unknownPlaceholders(gap: GapId, template: Json): string[] {
  const known = placeholdersOf(gap);
  return [...JSON.stringify(template).matchAll(placeholder)].flatMap(([, name = '']) =>
    hasMember(known, name) ? [] : [name],
  );
}

const mentions = (template: Json, names: ReadonlySet<string>): boolean =>
  [...JSON.stringify(template).matchAll(placeholder)].some(([, name = '']) => names.has(name));

/** Names of the gap's placeholders that may have several values. */
const eachOf = (gap: GapId): ReadonlySet<string> =>
  new Set(Object.entries(placeholdersOf(gap)).flatMap(([name, schema]) => (schema['x-each'] === true ? [name] : [])));

/** Whether the shape has a place for repeated values. */
export const hasEach = (gap: GapId, template: Json): boolean => mentions(template, eachOf(gap));

/** The name of a member, without the mark of an optional one. */
export const memberName = (key: string): string => key.replace(/\?$/, '');

/**
 * Fills a template in. `items`: values of the placeholders with `x-each`, one set per item; `whole`: the item about the whole, where
 * the template requires one and there is none.
 */
export function render(gap: GapId, template: Json, values: Values, items: readonly Values[] = [], whole?: Values) {
  const each = eachOf(gap);
  const filled = fill(template, { values, items, each, requiresItem: whole !== undefined });
  if (filled !== undefined || !whole) return filled ?? null;
  return fill(template, { values: { ...values, ...whole }, items: [whole], each, requiresItem: true }) ?? null;
}

interface Filling {
  readonly values: Values;
  readonly items: readonly Values[];
  readonly each: ReadonlySet<string>;
  /** Whether a required list has an item about the whole if there is nothing to list; otherwise it is empty. */
  readonly requiresItem: boolean;
}

/** `undefined`: a value is missing. */
function fill(template: Json, filling: Filling): unknown {
  if (typeof template === 'string') return fillText(template, filling.values);
  if (Array.isArray(template)) return fillList(template, filling);
  return isObject(template) ? fillObject(template, filling) : template;
}

function fillText(text: string, values: Values): unknown {
  const name = onlyPlaceholder(text);
  if (name !== undefined) return memberOf(values, name);
  const isMissing = [...text.matchAll(placeholder)].some(([, each = '']) => memberOf(values, each) === undefined);
  return isMissing ? undefined : text.replaceAll(placeholder, (_, each) => asText(memberOf(values, each)));
}

const inItem = (filling: Filling, item: Values): Filling => ({
  ...filling,
  values: { ...filling.values, ...item },
  items: [item],
});

function fillList(list: readonly Json[], filling: Filling): unknown[] | undefined {
  const [only] = list;
  const isOfEach = only !== undefined && list.length === 1 && mentions(only, filling.each);
  const filled = isOfEach
    ? filling.items.map((item) => fill(only, inItem(filling, item)))
    : list.map((item) => fill(item, filling));
  // A place without a value is left out, as services do: ["body", field] becomes ["body"].
  const there = filled.filter((value) => value !== undefined);
  return there.length === 0 && list.length > 0 ? undefined : there;
}

function fillObject(object: JsonObject, filling: Filling): JsonObject | undefined {
  const filled: JsonObject = {};
  // Members for each item of an empty list are omitted.
  const names = Object.keys(object);
  if (filling.items.length === 0 && names.length > 0 && names.every((key) => mentions(key, filling.each)))
    return undefined;
  for (const [key, template] of Object.entries(object)) {
    if (mentions(key, filling.each)) {
      for (const item of filling.items) {
        const inside = inItem(filling, item);
        setMember(filled, asText(fillText(key, inside.values)), fill(template, inside) as Json);
      }
      continue;
    }
    let value = fill(template, filling);
    if (value === undefined && key.endsWith('?')) continue;
    if (value === undefined && Array.isArray(template))
      value = filling.requiresItem ? fillList(template, { ...filling, items: [{}] }) : [];
    if (value === undefined && mentions(template, filling.each)) return undefined;
    setMember(filled, memberName(key), (value ?? null) as Json);
  }
  return filled;
}

/** The values in a body at the template's placeholders. */
export function readBack(template: Json, body: unknown): Record<string, unknown> {
  if (typeof template === 'string') {
    const name = onlyPlaceholder(template);
    return name === undefined || body === undefined ? {} : { [name]: body };
  }
  if (!isObject(template) || !isObject(body)) return {};
  const inside = Object.entries(template).map(([key, part]) => readBack(part, memberOf(body, memberName(key))));
  return Object.fromEntries(inside.flatMap(Object.entries<unknown>));
}

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
    const { description: _, 'x-each': __, ...schema } = memberOf(placeholders, name) ?? {};
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
