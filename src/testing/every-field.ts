import { type ApiDocument, isObject, type JsonObject, operationsOf } from '../core/spec/document.ts';
import type { Json } from '../core/spec/gaps.ts';

/** TypeScript that uses each field of each response as documented. @param typeOf the client's type of the body of an operation's response */
export function usesOf(document: ApiDocument, typeOf: (operationId: string, status: string) => string): string {
  const responses = operationsOf(document).flatMap(({ operation: { operationId, responses } }) =>
    Object.entries(responses).flatMap(([status, { content }]) => {
      const schema = content?.['application/json']?.schema as Json | undefined;
      return schema === undefined ? [] : [{ type: typeOf(operationId, status), schema }];
    }),
  );
  const uses = responses.map(
    ({ type, schema }, at) => `export function use${at}(it: ${type}) {\n${use(schema, 'it')}\n}`,
  );
  return ['const text = (value: string): string => value;', ...uses].join('\n');

  function use(schema: Json | undefined, at: string): string {
    const { $ref, allOf, anyOf, type, items, properties, required } = isObject(schema) ? schema : {};
    if (typeof $ref === 'string') return use(document.components.schemas[$ref.slice($ref.lastIndexOf('/') + 1)], at);
    if (Array.isArray(allOf)) return allOf.map((part) => use(part, at)).join('\n');
    if (Array.isArray(anyOf)) return use(anyOf[0], at);
    if (type === 'string') return `{ const value: string = ${at}; text(${at}); value.trim(); ${at}.trim(); }`;
    if (type === 'integer') return `{ const value: number = ${at}; value.toFixed(); ${at}.toFixed(); }`;
    if (type === 'boolean') return `{ const value: boolean = ${at}; ${at} === value; }`;
    if (type === 'array') return `for (const item of ${at}) {\n${use(items, 'item')}\n}`;
    if (!isObject(properties)) throw new Error(`${at}: expected a schema with a type; found ${JSON.stringify(schema)}`);
    return Object.entries(properties as JsonObject)
      .map(([name, property]) => {
        const isSure = Array.isArray(required) && required.includes(name);
        return `${isSure ? '' : `if (${at}.${name} !== undefined) `}{\n${use(property, `${at}.${name}`)}\n}`;
      })
      .join('\n');
  }
}
