import type { Faker } from '@faker-js/faker';
import { asNumber, memberOf } from '../../../contract-tests/values/json.ts';
import { isObject, type JsonObject } from '../spec/document.ts';
import type { Json } from '../spec/gaps.ts';

interface Inventing {
  /** Random source of the seed. */
  readonly faker: Faker;
  readonly of: (element: Json | undefined) => JsonObject;
}

/** Deeper optional members are omitted: a schema may contain itself. */
const deepest = 4;

/** A value that probably satisfies a schema; the caller validates it. */
export function invented(sent: Json, inventing: Inventing, depth = 0): Json {
  const schema = merged(inventing.of(sent), inventing);
  const { faker } = inventing;
  if (schema.const !== undefined) return schema.const;
  const [given] = [schema.example, schema.examples && (schema.examples as Json[])[0], schema.default].filter(
    (value) => value !== undefined,
  );
  if (given !== undefined) return given;
  if (Array.isArray(schema.enum)) return faker.helpers.arrayElement(schema.enum);
  const choices = schema.oneOf ?? schema.anyOf;
  if (Array.isArray(choices) && choices.length > 0) {
    const { oneOf: _one, anyOf: _any, ...rest } = schema;
    const choice = faker.helpers.arrayElement(choices);
    return invented({ allOf: [rest, choice] }, inventing, depth);
  }
  switch (typeOf(schema)) {
    case 'object':
      return object(schema, inventing, depth);
    case 'array':
      return list(schema, inventing, depth);
    case 'integer':
    case 'number':
      return number(schema, faker);
    case 'boolean':
      return faker.datatype.boolean();
    case 'null':
      return null;
    default:
      return text(schema, faker);
  }
}

function typeOf({ type, properties, items }: JsonObject): Json | undefined {
  if (Array.isArray(type)) return type.find((one) => one !== 'null') ?? 'null';
  return type ?? (properties ? 'object' : items ? 'array' : undefined);
}

const together = (parts: readonly Json[]): JsonObject =>
  Object.fromEntries(parts.flatMap((part) => (isObject(part) ? Object.entries(part) : [])));

/** A schema merged with those of its allOf. */
function merged(schema: JsonObject, { of }: Inventing): JsonObject {
  if (!Array.isArray(schema.allOf)) return schema;
  const { allOf, ...own } = schema;
  const parts = [...allOf.map((part) => merged(of(part), { of } as Inventing)), own];
  const required = parts.flatMap((part) => (part.required ?? []) as Json[]);
  const properties = together(parts.map((part) => part.properties ?? {}));
  return {
    ...together(parts),
    ...(required.length > 0 && { required }),
    ...(Object.keys(properties).length > 0 && { properties }),
  };
}

function object({ properties, required = [] }: JsonObject, inventing: Inventing, depth: number): JsonObject {
  const isWanted = (name: string): boolean => depth < deepest || (required as Json[]).includes(name);
  const members = Object.entries((properties ?? {}) as JsonObject)
    .filter(([name, schema]) => isWanted(name) && inventing.of(schema).writeOnly !== true)
    .map(([name, schema]) => [name, invented(schema, inventing, depth + 1)] as const);
  return Object.fromEntries(members);
}

function list({ items = {}, minItems = 1, maxItems = 3 }: JsonObject, inventing: Inventing, depth: number): Json[] {
  const least = depth < deepest || asNumber(minItems) > 1 ? asNumber(minItems) : 0;
  const most = depth < deepest ? Math.max(least, Math.min(3, asNumber(maxItems))) : least;
  const length = inventing.faker.number.int({ min: Math.min(least, asNumber(maxItems)), max: most });
  return Array.from({ length }, () => invented(items, inventing, depth + 1));
}

function number(schema: JsonObject, faker: Faker): number {
  const step = asNumber(schema.multipleOf ?? (typeOf(schema) === 'integer' ? 1 : 0.01));
  const low = bound(schema.minimum, schema.exclusiveMinimum, step);
  const high = bound(schema.maximum, schema.exclusiveMaximum, -step);
  const min = low ?? Math.min(1, high ?? 1);
  const max = high ?? min + 1000 * step;
  const steps = faker.number.int({
    min: Math.ceil(min / step),
    max: Math.max(Math.ceil(min / step), Math.floor(max / step)),
  });
  return Number((steps * step).toFixed(10));
}

function bound(inclusive: Json | undefined, exclusive: Json | undefined, step: number): number | undefined {
  if (exclusive !== undefined) return asNumber(exclusive) + step;
  return inclusive === undefined ? undefined : asNumber(inclusive);
}

function text({ format, pattern, minLength = 0, maxLength = 200 }: JsonObject, faker: Faker): string {
  if (typeof pattern === 'string') return faker.helpers.fromRegExp(pattern.replace(/^\^/, '').replace(/\$$/, ''));
  const known = typeof format === 'string' ? memberOf(formats, format)?.(faker) : undefined;
  if (known !== undefined) return known;
  const words = faker.lorem.words(3).slice(0, asNumber(maxLength)).trimEnd();
  return words.padEnd(asNumber(minLength), 'x');
}

const formats: Readonly<Record<string, (faker: Faker) => string>> = {
  'date-time': (faker) => faker.date.recent().toISOString(),
  date: (faker) => faker.date.recent().toISOString().slice(0, 10),
  time: (faker) => faker.date.recent().toISOString().slice(11),
  email: (faker) => faker.internet.email().toLowerCase(),
  uuid: (faker) => faker.string.uuid(),
  uri: (faker) => `https://${faker.lorem.slug()}.example`,
  url: (faker) => `https://${faker.lorem.slug()}.example`,
  hostname: (faker) => `${faker.lorem.slug()}.example`,
  ipv4: (faker) => faker.internet.ipv4(),
  ipv6: (faker) => faker.internet.ipv6(),
  byte: (faker) => btoa(faker.lorem.word()),
};
