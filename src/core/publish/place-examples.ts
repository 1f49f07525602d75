import { httpMethods, isObject, type JsonObject } from '../spec/document.ts';
import type { Json } from '../spec/gaps.ts';
import type { Example } from './examples.ts';

type Named = Readonly<Record<string, { readonly summary: string; readonly value: Json }>>;

/** The paths of a document with examples at parameters, request bodies and answers. */
export function placeExamples(paths: JsonObject, examples: readonly Example[]): JsonObject {
  return mapValues(paths, (item) => {
    const ids = httpMethods.map((method) => (item[method] as JsonObject | undefined)?.operationId);
    const shared = examples.filter(({ operation }) => ids.includes(operation));
    const placed = { ...item, ...parametersWith(item, shared) };
    return mapValues(placed, (operation) =>
      isObject(operation) && operation.operationId !== undefined
        ? operationWith(
            operation,
            examples.filter((one) => one.operation === operation.operationId),
          )
        : operation,
    );
  });
}

function operationWith(operation: JsonObject, examples: readonly Example[]): JsonObject {
  const { requestBody, responses } = operation as { requestBody?: JsonObject; responses: JsonObject };
  return {
    ...operation,
    ...parametersWith(operation, examples),
    ...(requestBody && { requestBody: contentWith(requestBody, () => named(examples, ({ sent }) => sent?.body)) }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => {
        const own = examples.filter((example) => String(example.status) === status);
        const answered = (type: string) =>
          named(
            own.filter(({ mediaType }) => mediaType === type),
            ({ body }) => body,
          );
        return [status, contentWith(response as JsonObject, answered)];
      }),
    ),
  };
}

function parametersWith({ parameters }: JsonObject, examples: readonly Example[]): JsonObject {
  if (!Array.isArray(parameters)) return {};
  const valueIn = ({ sent }: Example, parameter: JsonObject): unknown =>
    (parameter.in === 'path' ? sent?.params : sent?.query)?.[String(parameter.name)];
  return {
    parameters: (parameters as JsonObject[]).map((parameter) => ({
      ...parameter,
      ...wrapped(named(examples, (example) => valueIn(example, parameter))),
    })),
  };
}

function contentWith({ content, ...rest }: JsonObject, examplesFor: (mediaType: string) => Named): JsonObject {
  if (!isObject(content)) return rest;
  const types = Object.entries(content).map(([type, media]) => [
    type,
    { ...(media as JsonObject), ...wrapped(examplesFor(type)) },
  ]);
  return { ...rest, content: Object.fromEntries(types) as JsonObject };
}

const named = (examples: readonly Example[], valueIn: (example: Example) => unknown): Named =>
  Object.fromEntries(
    examples.flatMap((example) => {
      const value = valueIn(example) as Json | undefined;
      return value === undefined ? [] : [[example.name, { summary: example.summary, value }]];
    }),
  );

const wrapped = (examples: Named): { examples?: JsonObject } =>
  Object.keys(examples).length > 0 ? { examples: examples as JsonObject } : {};

const mapValues = (object: JsonObject, change: (value: JsonObject) => Json): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, isObject(value) ? change(value) : value]));
