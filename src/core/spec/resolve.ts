import { asText, memberOf, setMember } from '../../../contract-tests/values/json.ts';
import { clashes } from './clash.ts';
import { ConfigError } from './config-error.ts';
import { type ApiDocument, apiTemplate, isObject, type JsonObject, operationsOf } from './document.ts';
import { isKindList, mediaTypeAnswer, resolveKind, unknownFieldAnswer } from './error-kinds.ts';
import { defaultAnswers, type GapAnswers, type GapId, type Json } from './gaps.ts';
import { mapMembers, targetOf } from './json.ts';
import { pruneComponents } from './prune.ts';
import { errorForms, mediaTypesOf, shapeFor, shapeSchema } from './shape.ts';

type Cases = Record<string, Record<string, Json>>;

/**
 * The API under `answers`: one bundled, plain OpenAPI 3.1 document. The keywords that spec/openapi.yaml explains in its
 * head are applied and removed; x-source and x-gap stay, and x-answers says under which answers it is valid.
 * @throws ConfigError when two answers clash: two operations on one method and path
 */
export function resolve(answers: GapAnswers): ApiDocument {
  const [clash] = clashes(answers);
  if (clash) throw new ConfigError([`two operations on ${clash.text}`]);
  const { 'x-error-kinds': _, ...template } = apiTemplate();
  const document = resolveElement(template, answers) as JsonObject;
  document.info = { ...(document.info as JsonObject), 'x-answers': structuredClone(answers) as unknown as JsonObject };
  document.paths = resolvePaths(document.paths as JsonObject, answers);
  giveErrorsTheirTypes(document, answers);
  for (const { operation } of operationsOf(document as unknown as ApiDocument))
    resolveResponses(operation as unknown as JsonObject, document, answers);
  return pruneComponents(document) as ApiDocument;
}

/** Applies x-shape, x-cases and x-set to an element and its descendants; undefined if the answers omit it from its list. */
function resolveElement(element: Json, answers: GapAnswers): Json | undefined {
  if (!isObject(element)) return mapMembers(element, (item) => resolveElement(item, answers));
  const cased = applyCases(applyShape(element, answers), answers);
  if (cased === null) return undefined;
  return mapMembers(applySet(cased, answers), (value, key) => {
    // A list, so that cases can add types to it.
    const isOne = key === 'type' && Array.isArray(value) && value.length === 1;
    return (isOne ? value[0] : resolveElement(value, answers)) ?? null;
  });
}

/** spec/openapi.yaml contains the default shape; others are derived. */
function applyShape(element: JsonObject, answers: GapAnswers): JsonObject {
  const { 'x-shape': gap, ...plain } = element;
  if (gap === undefined) return plain;
  const id = gap as GapId;
  return (answers[id] === defaultAnswers()[id] ? undefined : shapeSchema(id, answers)) ?? plain;
}

/** Errors have the media types of their shape, and no content if they have no body. */
function giveErrorsTheirTypes(document: JsonObject, answers: GapAnswers): void {
  const { responses } = document.components as { responses: { Error: JsonObject } };
  const shape = shapeFor('error-body', answers);
  const { content, ...error } = responses.Error;
  const [media] = Object.values(content as JsonObject);
  const types = shape ? mediaTypesOf(shape) : [];
  const forms = Object.values(errorForms(answers));
  const text: JsonObject = { schema: { type: 'string', 'x-gap': 'error-accept' } };
  const contents = {
    ...(media && Object.fromEntries(types.map((type) => [type, media]))),
    ...(forms.some((form) => form === 'page' || form === 'redirect') && { 'text/html': text }),
    ...(forms.includes('text') && !types.includes('text/plain') && { 'text/plain': text }),
  };
  responses.Error = { ...error, ...(Object.keys(contents).length > 0 && { content: contents }) };
}

function applyCases(element: JsonObject, answers: GapAnswers): JsonObject | null {
  const { 'x-cases': cases, ...plain } = element;
  let patched: JsonObject = plain;
  for (const [gap, patches] of Object.entries((cases ?? {}) as Cases)) {
    const answer: unknown = answers[gap as GapId];
    const patch = memberOf(patches, isObject(answer) ? 'written' : asText(answer));
    if (patch === null) return null;
    if (patch !== undefined) patched = applyPatch(patched, patch) as JsonObject;
  }
  return patched;
}

function applySet(element: JsonObject, answers: GapAnswers): JsonObject {
  const { 'x-set': keywords, ...plain } = element;
  if (!isObject(keywords)) return plain;
  const given = Object.entries(keywords).filter(([, gap]) => answers[gap as GapId] !== 'none');
  const set = given.map(([keyword, gap]) => [keyword, structuredClone(answers[gap as GapId])]);
  return { ...plain, ...(Object.fromEntries(set) as JsonObject) };
}

function resolvePaths(paths: JsonObject, answers: GapAnswers): JsonObject {
  const resolved: JsonObject = {};
  for (const [written, value] of Object.entries(paths)) {
    const { 'x-path': gap, ...item } = value as JsonObject;
    const path = gap === undefined ? written : asText(answers[gap as GapId]);
    setMember(resolved, path, { ...(memberOf(resolved, path) as JsonObject | undefined), ...item });
  }
  return resolved;
}

/** Gives successes their status (x-status) and replaces `default` by the statuses of the operation's error kinds. */
function resolveResponses(operation: JsonObject, document: JsonObject, answers: GapAnswers): void {
  const id = asText(operation.operationId);
  const { 'success-codes': codes } = answers;
  const responses: JsonObject = {};
  for (const [status, response] of Object.entries(operation.responses as JsonObject)) {
    if (status === 'default') continue;
    const { 'x-status': statuses, ...plain } = response as JsonObject;
    const usual = statusOf(status, statuses as Cases | undefined, answers);
    setMember(responses, typeof codes === 'object' ? String(memberOf(codes, id) ?? usual) : usual, plain);
  }
  const { 'x-errors': kinds } = operation;
  if (!isKindList(kinds)) throw new Error(`x-errors of ${id} is not a list of error kinds`);
  const errors = (document.components as JsonObject).responses as JsonObject;
  for (const resolved of kinds.map((kind) => resolveKind(kind, answers, id))) {
    if (!resolved) continue;
    const { status, title, gaps } = resolved;
    const before = responses[status] as JsonObject | undefined;
    const known = (before?.['x-gap'] as GapId[] | undefined) ?? ['error-body', 'error-codes'];
    const titles = new Set([...asText(before?.description ?? '').split('; '), title].filter(Boolean));
    responses[status] = {
      ...(errors.Error as JsonObject),
      description: [...titles].join('; '),
      'x-gap': [...new Set([...known, ...gaps])],
    };
  }
  if (kinds.includes('invalid-credentials') && Object.values(errorForms(answers)).includes('redirect'))
    responses['302'] = { description: 'Credentials are missing or invalid', 'x-gap': ['error-accept'] };
  const { content } = (operation.requestBody ?? {}) as { content?: JsonObject };
  const { schema } = (content?.['application/json'] ?? {}) as { schema?: JsonObject };
  const fields = unknownFieldAnswer(answers, id) === 'refuse' && schema && targetOf(document, asText(schema.$ref));
  if (isObject(fields)) fields.additionalProperties = false;
  if (content && mediaTypeAnswer(answers, id) === 'accept') content['*/*'] = content['application/json'] ?? {};
  delete operation['x-errors'];
  operation.responses = responses;
}

function statusOf(status: string, statuses: Cases | undefined, answers: GapAnswers): string {
  for (const [gap, cases] of Object.entries(statuses ?? {})) {
    const other = memberOf(cases, asText(answers[gap as GapId]));
    if (other !== undefined) return asText(other);
  }
  return status;
}

/** Patches one element: objects are merged, null removes, lists are united; `x-replace: true` replaces. */
export function applyPatch(base: Json | undefined, patch: Json): Json {
  if (Array.isArray(base) && Array.isArray(patch)) return [...base, ...patch.filter((item) => !base.includes(item))];
  if (!isObject(patch)) return patch;
  if (patch['x-replace'] === true || !isObject(base)) {
    const { 'x-replace': _, ...rest } = patch;
    return applyPatch({}, rest);
  }
  const merged: JsonObject = { ...base };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else setMember(merged, key, applyPatch(memberOf(merged, key), value));
  }
  return merged;
}
