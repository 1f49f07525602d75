import { isEqual, memberOf } from '../../contract-tests/values/json.ts';
import { answersFrom } from '../core/profiles/load.ts';
import { publish } from '../core/publish/publish.ts';
import { type JsonObject, type OperationObject, operationsOf } from '../core/spec/document.ts';
import { isObject, type Json, memberAt } from '../core/spec/json.ts';
import { resolve } from '../core/spec/resolve.ts';

const documentOf = (profile?: string): JsonObject => publish(resolve(answersFrom(profile).all)) as JsonObject;

/**
 * The document under the default profile, without guesses: error bodies are any object, and members of responses that have another
 * type, or are missing, under one of these profiles have any type.
 */
export function sharedDocument(profiles: readonly string[]): JsonObject {
  const document = documentOf();
  const others = profiles.map(documentOf);
  const sent = new Set(operationsOf(resolve(answersFrom().all)).flatMap(schemasSent));
  const components = document.components as Record<'schemas', Schemas>;
  const schemas = Object.entries(components.schemas).map(([name, schema]) => {
    if (name === 'Error') return [name, { type: 'object', additionalProperties: true }];
    const whole = wholeOf(document, name);
    if (sent.has(name) || !whole.properties) return [name, schema];
    const there = others.flatMap((other) => wholeOf(other, name).properties ?? []);
    const properties = Object.entries(whole.properties).map(([member, type]) => {
      const isShared = there.every((members) => isSame(type, memberOf(members, member)));
      return [member, isShared ? type : {}];
    });
    return [name, { ...whole, properties: Object.fromEntries(properties) }];
  });
  return { ...document, components: { ...components, schemas: Object.fromEntries(schemas) } };
}

/** The names of the schemas of an operation's request bodies. */
const schemasSent = ({ operation }: { operation: OperationObject }): string[] =>
  Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema: { $ref } }) =>
    typeof $ref === 'string' ? [$ref.slice(SCHEMAS.length)] : [],
  );

const SCHEMAS = '#/components/schemas/';

type Schemas = Readonly<Record<string, JsonObject>>;

/** A schema, or the one that it consists of; empty if the document has none. */
function wholeOf(document: JsonObject, name: string): JsonObject & { readonly properties?: Schemas } {
  const schema = memberAt(document, ['components', 'schemas', name]) as JsonObject | undefined;
  const base = memberAt(schema, ['allOf', '0', '$ref']);
  if (typeof base === 'string') return wholeOf(document, base.slice(SCHEMAS.length));
  return { ...schema } as ReturnType<typeof wholeOf>;
}

const isSame = (one: JsonObject, other: Json | undefined): boolean =>
  isObject(other) && isEqual(typeOf(one), typeOf(other));

/** Without values: other texts are no other type. */
const typeOf = (schema: JsonObject) => [
  schema.type ?? memberAt(schema, ['anyOf', '0', 'type']),
  schema.$ref,
  schema.items,
];
