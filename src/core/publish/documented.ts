import { isObject, type JsonObject } from '../spec/document.ts';
import { type Json, memberAt } from '../spec/json.ts';
import { pruneComponents } from '../spec/prune.ts';
import { apiTemplate } from '../spec/template.ts';

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
  if (Array.isArray(element)) return element.map(keep).filter((item) => item !== undefined);
  if (!isObject(element)) return element;
  const hasGap = element['x-gap'] !== undefined;
  if (element['x-path'] !== undefined || (hasGap && element['x-source'] === undefined)) return undefined;
  const set = isObject(element['x-set']) ? Object.keys(element['x-set']) : [];
  const members = Object.entries(element).flatMap(([key, value]): [string, Json][] => {
    if (ofAnswers.has(key) || (set.includes(key) && key !== 'example') || (hasGap && key === 'pattern')) return [];
    // Lists, so that cases can add types.
    if (key === 'type' && Array.isArray(value) && value.length === 1) return [[key, value[0] ?? null]];
    const kept = key === 'responses' ? responsesOf(value) : keep(value);
    return kept === undefined ? [] : [[key, kept]];
  });
  return Object.fromEntries(members);
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
  if (Array.isArray(element))
    return element.map((item) => withoutDangling(item, document)).filter((item) => item !== undefined);
  if (!isObject(element)) return element;
  if (typeof element.$ref === 'string' && !exists(element.$ref, document)) return undefined;
  const members = Object.entries(element).flatMap(([key, value]): [string, Json][] => {
    const kept = withoutDangling(value, document);
    const isEmptied =
      key === 'content' &&
      isObject(kept) &&
      Object.values(kept).every((media) => isObject(media) && media.schema === undefined);
    return kept === undefined || isEmptied ? [] : [[key, kept]];
  });
  const whole = Object.fromEntries(members);
  if (element.responses === undefined || element.operationId === undefined) return whole;
  const isSilent = Object.keys(whole.responses as JsonObject).length === 0;
  return isSilent ? { ...whole, responses: { default: { description: 'Not documented.' } } } : whole;
}

const exists = (reference: string, document: JsonObject): boolean =>
  memberAt(document, reference.split('/').slice(1)) !== undefined;

/** Omits empty kinds of components. */
export const withoutEmpty = (document: JsonObject): JsonObject => ({
  ...document,
  components: Object.fromEntries(
    Object.entries(document.components as JsonObject).filter(
      ([, members]) => Object.keys(members as JsonObject).length > 0,
    ),
  ),
});
