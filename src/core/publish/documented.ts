import { apiTemplate, isObject, type JsonObject } from '../spec/document.ts';
import { type Json, mapMembers, memberAt } from '../spec/json.ts';
import { pruneComponents } from '../spec/prune.ts';

/** Keywords of spec/openapi.yaml that apply answers to gaps. */
const ofAnswers = new Set(['x-cases', 'x-shape', 'x-set', 'x-path', 'x-status', 'x-errors', 'x-gap', 'x-error-kinds']);

/** An OpenAPI document of what the source document states, without what fills a gap or has an assumed path. */
export function documentedOnly(): JsonObject {
  const kept = keep(apiTemplate()) as JsonObject;
  const document = withoutDangling(kept, kept) as JsonObject;
  const info = document.info as JsonObject;
  const description =
    'What the source document states, and nothing else: what it leaves open is left out, whole operations too where it does not state their path. x-source cites its section.';
  return withoutEmpty(pruneComponents({ ...document, info: { ...info, description } }, []));
}

/** An element without its assumed parts; undefined if all of it is assumed. */
function keep(element: Json): Json | undefined {
  if (!isObject(element)) return mapMembers(element, keep);
  const hasGap = element['x-gap'] !== undefined;
  if (element['x-path'] !== undefined || (hasGap && element['x-source'] === undefined)) return undefined;
  const set = isObject(element['x-set']) ? Object.keys(element['x-set']) : [];
  return mapMembers(element, (value, key) => {
    if (ofAnswers.has(key) || (set.includes(key) && key !== 'example') || (hasGap && key === 'pattern'))
      return undefined;
    // Lists, so that cases can add types.
    if (key === 'type' && Array.isArray(value) && value.length === 1) return value[0];
    return key === 'responses' ? responsesOf(value) : keep(value);
  });
}

/** The responses of an operation; under 2XX if only success is documented. */
function responsesOf(responses: Json): Json | undefined {
  const kept = Object.entries(responses as JsonObject).flatMap(([status, response]): [string, Json][] => {
    const answer = keep(response);
    const isOpen = isObject(response) && response['x-status'] !== undefined;
    return answer === undefined ? [] : [[isOpen ? '2XX' : status, answer]];
  });
  return Object.fromEntries(kept);
}

/** Removes references to omitted components, with elements that consist of them. */
function withoutDangling(element: Json, document: JsonObject): Json | undefined {
  if (!isObject(element)) return mapMembers(element, (item) => withoutDangling(item, document));
  if (typeof element.$ref === 'string' && memberAt(document, element.$ref.split('/').slice(1)) === undefined)
    return undefined;
  const whole = mapMembers(element, (value, key) => {
    const kept = withoutDangling(value, document);
    const isEmptied =
      key === 'content' &&
      isObject(kept) &&
      Object.values(kept).every((media) => isObject(media) && media.schema === undefined);
    return isEmptied ? undefined : kept;
  }) as JsonObject;
  if (element.responses === undefined || element.operationId === undefined) return whole;
  const isSilent = Object.keys(whole.responses as JsonObject).length === 0;
  return isSilent ? { ...whole, responses: { default: { description: 'Not documented.' } } } : whole;
}

export const withoutEmpty = (document: JsonObject): JsonObject => ({
  ...document,
  components: mapMembers(document.components as JsonObject, (members) =>
    Object.keys(members as JsonObject).length > 0 ? members : undefined,
  ),
});
