import { asText, memberOf } from '../../contract-tests/values/json.ts';
import { api as precompiled, key as precompiledKey } from './generated/validators.js';
import { withoutSlash } from './message.ts';
import type { Answers } from './profiles/answers.ts';
import { routeTable } from './routes.ts';
import { type ApiDocument, isObject, type OperationId, operationsOf } from './spec/document.ts';
import { dereferenced } from './spec/json.ts';
import { resolve } from './spec/resolve.ts';
import type { CompiledValidator, Validators } from './validation/compile.ts';
import { answerOf, bodyOf, errorAnswer, parametersIn, parametersOf, schemasOf } from './validation/schemas.ts';

export type OperationPlan = Readonly<ReturnType<typeof plansOf>[number]>;

/** The operation that a method and a URL address, with its validated parameters. */
interface Address {
  readonly plan: OperationPlan;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
}

/** Maximum number cached by method: URLs come from clients. */
const maxAddresses = 500;
const maxLength = 500;

type Addresses = Map<string, Map<string, Address>>;

/** Keeps an address for all later requests to it, so its parameters must not change. */
export function keepAddress(addresses: Addresses, method: string, url: string, address: Address): void {
  if (url.length > maxLength) return;
  const known = addresses.get(method) ?? new Map<string, Address>();
  if (known.size >= maxAddresses) known.clear();
  Object.freeze(address.params);
  Object.freeze(address.query);
  addresses.set(method, known.set(url, address));
}

/** Everything compiled for one set of answers. */
export type Api = Readonly<Awaited<ReturnType<typeof makeApi>>>;

/** Least recently used first. An evicted API lives as long as the answers that use it. */
const cacheLimit = 32;
const cache = new Map<string, Promise<Api>>();
const resolved = new WeakMap<Answers, Api>();

/** The API under `answers`, cached by their key; throws ConfigError when answers clash. */
export function apiFor(answers: Answers): Promise<Api> {
  const api = cache.get(answers.key) ?? makeApi(answers);
  // Reinserted: a map keeps insertion order, so its first entry is the least recently used.
  cache.delete(answers.key);
  cache.set(answers.key, api);
  const [oldest] = cache.keys();
  if (cache.size > cacheLimit && oldest !== undefined) cache.delete(oldest);
  api.then(
    (made) => resolved.set(answers, made),
    () => cache.delete(answers.key),
  );
  return api;
}

/** The API under `answers` if it is already compiled, as for all requests but the first. */
export const readyApi = (answers: Answers): Api | undefined => resolved.get(answers);

async function makeApi(answers: Answers) {
  const document = resolve(answers.all);
  const validators =
    answers.key === precompiledKey
      ? (name: string) => memberOf(precompiled, name)
      : await compileOnDemand(document, answers);
  const plans = plansOf(document, validators);
  const find = routeTable(plans);
  const ignoresSlash = answers.get('trailing-slash') === 'same';
  /** The operation of a method and a path; HEAD is the operation of GET. */
  const operationAt = (method: string, path: string): OperationPlan | undefined => {
    const found = find(method === 'HEAD' ? 'GET' : method, ignoresSlash ? withoutSlash(path) : path);
    return typeof found === 'object' && 'operation' in found ? found.operation : undefined;
  };
  const addresses: Addresses = new Map();
  return {
    answers,
    document,
    plans,
    find,
    operationAt,
    violation: answerRules(document, validators),
    addresses,
    validators,
  };
}

export const loadCompiler = () => import('./validation/compile.ts');

/** Loads Ajv, which only profiles other than the default one need. */
async function compileOnDemand(document: ApiDocument, answers: Answers): Promise<Validators> {
  const { compileWhenUsed } = await loadCompiler();
  const allowUnknownQuery = answers.get('unknown-query') === 'ignore';
  return compileWhenUsed(schemasOf(document, allowUnknownQuery), document.components);
}

const plansOf = (document: ApiDocument, validators: Validators) =>
  operationsOf(document).map(({ path, method, operation }) => {
    const { operationId: id, requestBody, responses, security = [] } = operation;
    const [scheme] = Object.keys(security[0] ?? {});
    const parameters = parametersIn(document, path, operation.parameters);
    const schema = requestBody?.content['application/json']?.schema;
    const { properties, additionalProperties } = schema ? dereferenced(schema, document) : {};
    // A shape may have a member for each of something.
    const isOpen = !isObject(properties) || isObject(additionalProperties);
    let used: { readonly parameters: CompiledValidator; readonly body: CompiledValidator | undefined } | undefined;
    return {
      id,
      method: method.toUpperCase(),
      path,
      body: requestBody && { required: requestBody.required === true },
      /** The fields of a body; undefined if it may have any. */
      fields: isOpen ? undefined : new Set(Object.keys(properties)),
      queryNames: new Set(parameters.filter((one) => one.in === 'query').map(({ name }) => asText(name))),
      /** How a caller authenticates; undefined if the operation is public. */
      security: scheme as 'bearer' | 'refreshToken' | undefined,
      /** The one success status that the resolved spec documents. */
      success: Number(Object.keys(responses).find((status) => status.startsWith('2'))),
      /** Validators of the request: of `{ query, params }`, and of `{ body }`. */
      get validators() {
        const parameters = used?.parameters ?? validators(parametersOf(id));
        if (!parameters) throw new Error(`The validator ${parametersOf(id)} is missing: run npm run build.`);
        used ??= { parameters, body: validators(bodyOf(id)) };
        return used;
      },
    };
  });

/** `operation`: undefined if none was matched; `anyStatus`: the client chose the status (Prefer). */
type Violation = (
  answer: { readonly status: number; readonly mediaType: string; readonly body: unknown },
  operation: OperationId | undefined,
  anyStatus: boolean,
) => string | undefined;

/** How a response violates the resolved spec: documented status, content type and body. */
function answerRules(document: ApiDocument, validators: Validators): Violation {
  const documented = new Map(
    operationsOf(document).map(({ operation: { operationId, responses } }) => [
      operationId,
      new Map(Object.entries(responses).map(([status, { content }]) => [Number(status), Object.keys(content ?? {})])),
    ]),
  );
  // By operation; of errors, by undefined. Putting names together takes longer than most bodies.
  const used = new Map<OperationId | undefined, CompiledValidator | undefined>();
  const errorTypes = Object.keys(document.components.responses.Error?.content ?? {});

  return ({ status, mediaType, body }, operation, anyStatus) => {
    const types = operation && documented.get(operation)?.get(status);
    if (!types && operation && !anyStatus) return `status ${status} is not documented for ${operation}`;
    if (!(types ?? errorTypes).includes(mediaType))
      return `content type ${mediaType} is not documented for status ${status}`;
    // Of errors that are no JSON (gap error-accept).
    if (status >= 400 && mediaType.startsWith('text/')) return undefined;
    const success = types && status < 300 ? operation : undefined;
    const validate = used.get(success) ?? validators(success ? answerOf(success) : errorAnswer);
    used.set(success, validate);
    return validate ? problemWith(body, validate) : `there is no schema for status ${status}`;
  };
}

/** The violations of a body; undefined if it is valid. */
export function problemWith(body: unknown, validate: CompiledValidator): string | undefined {
  if (validate(body)) return undefined;
  return (validate.errors ?? []).map(({ instancePath, message }) => `body${instancePath} ${message}`).join(', ');
}
