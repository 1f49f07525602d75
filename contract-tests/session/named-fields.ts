import { type Answer, jsonOf } from '../values/answer.ts';
import { findStrings, type JsonObject } from '../values/json.ts';

/** What refusals say about a field that they name: a pointer, a path, or a sentence of a usual validator. */
const NAMING = [
  /^(?:#?\/|\$\.|body[./])?([a-z]\w*)$/i,
  /(?:required|missing)(?: [a-z]{1,20}){0,3} property:? ['"`](\w{1,100})['"`]/i,
  /['"`](\w+)['"`][^'"`]*(?:is |are )?(?:required|missing)/i,
  /^(?:body\/)?(\w+) (?:is |field is |should |must |may )/i,
];
/** Members of a refusal that hold the name of a field. */
const PLACES = /^(?:pointer|field|param|parameter|property|path|loc|name|instancePath|missingProperty|attribute|\d+)$/i;

/** The fields that a refusal names as those that it misses, in its order. */
export function namedFields(refusal: Answer): string[] {
  const names = findStrings(jsonOf(refusal)).flatMap(({ path, value }) => {
    const place = path.at(-1) ?? '';
    const [pointer, ...sentences] = NAMING;
    const patterns = PLACES.test(place) ? [pointer as RegExp, ...sentences] : sentences;
    return patterns.flatMap((pattern) => pattern.exec(value)?.[1] ?? []).slice(0, 1);
  });
  return [...new Set(names)].filter((name) => !/^(?:body|query|it|this|request|the)$/i.test(name)).slice(0, 4);
}

/** A body with what the refusal of another one named: values by what the names say. */
export function withNamed(
  body: JsonObject,
  fields: readonly string[],
  name: string,
  scopes: readonly string[],
): JsonObject {
  const valueFor = (field: string): unknown => {
    if (/scope|abilit|permission/i.test(field)) return scopes;
    if (/days|ttl|seconds|expires_?in|lifetime/i.test(field)) return 1;
    return /expir|until/i.test(field) ? new Date(Date.now() + 86_400_000).toISOString() : name;
  };
  return { ...body, ...Object.fromEntries(fields.map((field) => [field, valueFor(field)])) };
}
