import { type ApiDocument, type JsonObject, type OperationId, operationsOf } from './spec/document.ts';
import type { Json } from './spec/gaps.ts';

/**
 * An example of an operation's success body, derived from its schema.
 * @param texts examples of named schemas whose pattern cannot be guessed
 */
export function exampleOf(
  document: ApiDocument,
  id: OperationId | undefined,
  texts: Readonly<Record<string, string>>,
): Json {
  const found = operationsOf(document).find(({ operation }) => operation.operationId === id);
  const success = Object.entries(found?.operation.responses ?? {}).find(([status]) => status.startsWith('2'))?.[1];
  const schema = Object.values(success?.content ?? {})[0]?.schema;
  return schema ? fromSchema(schema, document, texts) : null;
}

function fromSchema(schema: JsonObject, document: ApiDocument, texts: Readonly<Record<string, string>>): Json {
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return texts[name] ?? fromSchema(document.components.schemas[name] ?? {}, document, texts);
  }
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0] ?? null;
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries((schema.properties ?? {}) as Record<string, JsonObject>).map(([name, property]) => [
          name,
          fromSchema(property, document, texts),
        ]),
      );
    case 'array':
      return [fromSchema((schema.items ?? {}) as JsonObject, document, texts)];
    case 'integer':
      return Number(schema.minimum ?? 1);
    case 'boolean':
      return true;
    default:
      return schema.format === 'email' ? 'example@example.test' : 'example';
  }
}
