import { type ApiDocument, httpMethods, isObject, type JsonObject } from '../spec/document.ts';
import type { Json } from '../spec/gaps.ts';
import { dereferenced } from '../validation/schemas.ts';

/**
 * The paths of a document, where a parameter's words are those words or a text with their pattern: compilers then accept any text,
 * so that a value of an answer can be sent back, and tools that invent requests use accepted ones.
 */
export function withAcceptedWords(document: ApiDocument): JsonObject {
  const opened = ({ parameters, ...rest }: JsonObject): JsonObject => ({
    ...rest,
    ...(Array.isArray(parameters) && {
      parameters: (parameters as JsonObject[]).map((one) => ({
        ...one,
        schema: acceptedIn(one.schema as JsonObject, document),
      })),
    }),
  });
  const paths = Object.entries(document.paths as unknown as JsonObject).map(([path, item]): [string, Json] => {
    const members = Object.entries(opened(item as JsonObject)).map(([key, member]): [string, Json] => [
      key,
      (httpMethods as readonly string[]).includes(key) && isObject(member) ? opened(member) : member,
    ]);
    return [path, Object.fromEntries(members)];
  });
  return Object.fromEntries(paths);
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
