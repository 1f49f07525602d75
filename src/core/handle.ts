import { asText, traceOf } from '../../contract-tests/values/json.ts';
import { type Api, apiFor, keepAddress, readyApi } from './api.ts';
import { readBody } from './body.ts';
import { sha256Hex } from './crypto.ts';
import { RouteFailure } from './custom-routes/loaded-routes.ts';
import { contentOf } from './error-body.ts';
import { Exchange, type Outgoing } from './exchange.ts';
import type { ChosenFaults } from './faults/chosen.ts';
import {
  type Delivery,
  dropped,
  headerOf,
  type MockRequest,
  pathOf,
  queryOf,
  readBytes,
  withoutSlash,
} from './message.ts';
import { ApiError, apiError } from './operations/api-error.ts';
import { type Answer, type Arrival, operations } from './operations/behaviour.ts';
import { keptOf } from './operations/kept.ts';
import type { Operation, OperationRequest } from './operations/operation.ts';
import { bearerToken } from './operations/tokens.ts';
import type { PreferableExample } from './prefer.ts';
import type { RouteMatch } from './routes.ts';
import { findingsOf, invalidRequest } from './validation/refusal.ts';
import { applyDueStatuses } from './world/processing.ts';
import type { Worlds } from './world/worlds.ts';

/** The mock of the API as a function: its steps in order. An ApiError thrown by a step is the response. Never rejects. */
export async function handle(worlds: Pick<Worlds, 'resolve'>, request: MockRequest): Promise<Outgoing> {
  // Avoid `await` when the value is already available: each costs as much as a step.
  const resolving = resolveWorld(worlds, request);
  const resolved = resolving instanceof Promise ? await resolving : resolving;
  if (resolved === 'reconnect') return { delivery: dropped };
  const { exchange, refused } = resolved;
  try {
    if (refused) throw refused;
    const intercepted = environmentFaults(exchange);
    if (intercepted) {
      await noteSender(exchange);
      return { delivery: intercepted, exchange };
    }
    const answer =
      answerPreflight(exchange) ??
      limitRate(exchange) ??
      (exchange.world.hasRoutes ? await answerByRoute(exchange) : undefined) ??
      matchOperation(exchange) ??
      preferred(exchange)?.then((preference) => preference ?? operate(exchange)) ??
      operate(exchange);
    return { delivery: deliveryOf(exchange, answer instanceof Promise ? await answer : answer), exchange };
  } catch (error) {
    const answer = refusalOf(exchange, error);
    await noteUnread(exchange);
    return { delivery: deliveryOf(exchange, answer), exchange };
  }
}

/** Resolves the world and the armed faults. The journal records the request from here on. */
function resolveWorld(worlds: Pick<Worlds, 'resolve'>, request: MockRequest): Resolved | Promise<Resolved> {
  const { world, prefix, url, unknown } = worlds.resolve(request);
  applyDueStatuses(world);
  const arrival: Arrival = { method: request.method, url, headers: request.headers };
  const begin = (api: Api, { turns, mayClose, problem: refused }: ChosenFaults): Resolved => {
    // The fault is for a request on a fresh connection, which is not repeated: it would hit and be noticed by no page.
    if (mayClose && request.isRepeatedIfClosed) return 'reconnect';
    const exchange = new Exchange(world, api, prefix, request, arrival, turns);
    if (mayClose) exchange.headers.Connection = 'close';
    exchange.number = world.journal.begin(exchange);
    const [kind, problem] =
      unknown !== undefined ? ['unknown-path' as const, unknown] : ['validation' as const, refused];
    return problem === undefined ? { exchange } : { exchange, refused: apiError(world.answers, kind, problem) };
  };
  const withApi = (api: Api): Resolved | Promise<Resolved> => {
    const faults = faultsFor(request, arrival, world, api);
    return faults instanceof Promise ? faults.then((chosen) => begin(api, chosen)) : begin(api, faults);
  };
  const ready = readyApi(world.answers);
  return ready ? withApi(ready) : apiFor(world.answers).then(withApi);
}

type Resolved = 'reconnect' | { readonly exchange: Exchange; readonly refused?: ApiError };

/** The faults armed for this request, and those that its header X-Mock-Fault names. The catalogue is loaded with the first one. */
function faultsFor(request: MockRequest, arrival: Arrival, world: Exchange['world'], api: Api) {
  if (world.arms.length === 0 && arrival.headers['x-mock-fault'] === undefined) return noFaults;
  const operation = () => api.operationAt(arrival.method, pathOf(arrival.url))?.id;
  if (faultsModule) return faultsModule.chosenFaults(world, request, arrival, operation);
  return import('./faults/chosen.ts').then((loaded) => {
    faultsModule = loaded;
    return loaded.chosenFaults(world, request, arrival, operation);
  });
}

const noFaults: ChosenFaults = { turns: [] };
let faultsModule: typeof import('./faults/chosen.ts') | undefined;

/** Lets faults of the environment answer instead of the service, or change what it receives. Normally does nothing. */
function environmentFaults(exchange: Exchange): Delivery | undefined {
  const intercepted = exchange.changed('intercept', undefined);
  if (!intercepted) exchange.received = exchange.changed('receive', exchange.arrival);
  return intercepted && exchange.changed('transport', intercepted);
}

/** Records who sent what, for a request that a fault answers: tests of apps count it like any other. */
async function noteSender(exchange: Exchange): Promise<void> {
  exchange.noteCaller();
  const { bytes } = await readBytes(exchange.request, exchange.world.answers.get('body-size-limit'));
  if (bytes?.length) exchange.sentBytes = bytes;
}

/** The longest body of a refused request, in bytes, that is read for the journal alone. */
const longestUnread = 16_384;

/** Reads the body of a request that was refused before: `replay` must be able to send it again. */
async function noteUnread(exchange: Exchange): Promise<void> {
  const { request, sentBytes, readBody: known } = exchange;
  const { body } = request;
  if (sentBytes || known || body === undefined) return;
  const length = typeof body === 'function' ? Number(headerOf(request.headers, 'content-length')) : body.length;
  // A body without a length may never end.
  if (!(length <= longestUnread)) return;
  const { bytes } = await readBytes(request, longestUnread);
  if (bytes?.length) exchange.sentBytes = bytes;
}

/** Counts requests per minute and caller on the world's clock (gap rate-limit). A caller is a token or, without one, a client. */
function limitRate(exchange: Exchange): undefined {
  const { world, received, request, headers } = exchange;
  const limit = world.answers.get('rate-limit');
  if (limit === 0) return undefined;
  const caller = headerOf(received.headers, 'authorization') ?? request.client;
  // A store may be read by others: hash the credentials.
  const counted = world.services.store ? sha256Hex(caller) : caller;
  const { made, secondsLeft } = world.rates.count(counted, world.clock.now());
  headers['RateLimit-Limit'] = String(limit);
  headers['RateLimit-Policy'] = `${limit};w=60`;
  headers['RateLimit-Remaining'] = String(Math.max(0, limit - made));
  if (made <= limit) return undefined;
  const message = `More than ${limit} requests in a minute; retry in ${secondsLeft} s.`;
  throw apiError(world.answers, 'rate-limited', message, { headers: { 'Retry-After': String(secondsLeft) } });
}

/** Answers a preflight on any path; the door adds the CORS headers. */
function answerPreflight(exchange: Exchange): Answer | undefined {
  const { method, headers } = exchange.received;
  const isPreflight = method === 'OPTIONS' && headerOf(headers, 'access-control-request-method') !== undefined;
  if (!isPreflight) return undefined;
  exchange.assume('other-capabilities');
  return { status: 204, headers: {}, body: undefined };
}

/** Answers by a custom route, if one takes the request. Loaded by the first world that has some. */
async function answerByRoute(exchange: Exchange): Promise<Answer | undefined> {
  const { serveByRoute } = await import('./custom-routes/serve.ts');
  return serveByRoute(exchange, (examples) => preferred(exchange, examples));
}

/** Matches the request to an operation. OPTIONS is answered with the methods of the path, a slash at its end by its gap. */
function matchOperation(exchange: Exchange): Answer | undefined {
  const { api, world, received, unmatched } = exchange;
  // The door omits the body of a response to HEAD.
  const method = received.method === 'HEAD' ? 'GET' : received.method;
  const known = api.addresses.get(method)?.get(received.url);
  if (known) {
    exchange.plan = known.plan;
    exchange.params = known.params;
    exchange.query = known.query;
    exchange.hasValidParameters = true;
    return undefined;
  }
  const path = pathOf(received.url);
  const found = withMethods(api.find(method, path), unmatched?.methods ?? []);
  const bare = withoutSlash(path);
  if (found === undefined && bare !== path && api.find(method, bare) !== undefined) {
    const answer = exchange.assume('trailing-slash');
    const query = received.url.slice(path.length);
    if (answer === 'same') {
      exchange.received = { ...received, url: bare + query };
      return matchOperation(exchange);
    }
    // Relative, since pages and sandboxes have the mock below a path.
    const location = `../${bare.slice(bare.lastIndexOf('/') + 1)}${query}`;
    if (answer !== 'not-found')
      return { status: answer[method === 'GET' ? 'get' : 'others'], headers: { Location: location }, body: undefined };
  }
  const elsewhere = exchange.prefix !== '' && world.services.upstream ? ' Only the main world has the upstream.' : '';
  if (found === undefined || (typeof found === 'object' && 'methods' in found && found.methods.includes(method)))
    throw apiError(
      world.answers,
      'unknown-path',
      `There is no resource at ${path.slice(0, 200)}.${elsewhere}${unmatched?.nearest() ?? ''}`,
    );
  if (found === 'bad-escape') throw apiError(world.answers, 'validation', 'The path has an invalid percent escape.');
  if ('methods' in found) {
    // GET implies HEAD; OPTIONS is answered on every path.
    const allow = [...found.methods, ...(found.methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
    const options = received.method === 'OPTIONS' ? exchange.assume('options-requests') : 'refuse';
    if (options !== 'refuse')
      return { status: options === 'allow' ? 204 : 200, headers: { Allow: allow }, body: undefined };
    const message = `${received.method.slice(0, 20)} is not allowed; this path supports ${allow}.${unmatched?.nearest() ?? ''}`;
    const operation = api.operationAt(found.methods[0] ?? '', path)?.id;
    throw apiError(world.answers, 'method', message, { headers: { Allow: allow }, operation });
  }
  exchange.plan = found.operation;
  exchange.params = found.params;
  exchange.query = queryOf(received.url);
  return undefined;
}

/** A path with methods of custom routes. */
function withMethods<T>(found: RouteMatch<T>, own: readonly string[]): RouteMatch<T> {
  if (own.length === 0 || found === 'bad-escape' || (found && 'operation' in found)) return found;
  return { methods: [...new Set([...(found?.methods ?? []), ...own])] };
}

/** The answer that the header Prefer asks for, if there is one. */
const preferred = (exchange: Exchange, ofRoute?: PreferableExample[]): Promise<Answer | undefined> | undefined =>
  exchange.received.headers.prefer === undefined
    ? undefined
    : import('./prefer.ts').then(({ answerPreferred }) => answerPreferred(exchange, handle, ofRoute));

/** Runs the operation once caller and request are valid. Which of the two is checked first is the gap error-precedence. */
function operate(exchange: Exchange): Answer | Promise<Answer> {
  const identifiesFirst = exchange.world.answers.get('error-precedence') === 'credentials';
  const finish = (): Answer => {
    if (!identifiesFirst) identify(exchange);
    return runOperation(exchange);
  };
  const check = (): Answer | Promise<Answer> => validate(exchange)?.then(finish) ?? finish();
  if (identifiesFirst) identify(exchange);
  return readBody(exchange, check);
}

/** Identifies the caller by its token (part 5). */
function identify(exchange: Exchange): void {
  const { plan, world, received } = exchange;
  if (plan?.security === 'bearer') {
    exchange.identify();
    return;
  }
  exchange.refuseRepeatedCredentials();
  if (plan?.security === undefined) return;
  const authorization = headerOf(received.headers, 'authorization');
  // The operation itself verifies a refresh token.
  exchange.bearer = bearerToken(authorization);
  if (exchange.bearer !== undefined) return;
  const kind = authorization ? 'invalid-credentials' : 'missing-credentials';
  throw apiError(world.answers, kind, 'Send a token in the header Authorization: Bearer <token>.');
}

/** Validates parameters and body against the resolved spec. The judge, where there is one, must refuse the same requests. */
function validate(exchange: Exchange): Promise<void> | undefined {
  const { plan, query, params, body, world, api } = exchange;
  if (!plan) return undefined;
  const { parameters, body: bodyValidator } = plan.validators;
  const areParametersValid = exchange.hasValidParameters || parameters({ query, params });
  const isBodyValid = body === undefined || !bodyValidator || bodyValidator({ body });
  if (areParametersValid && !exchange.hasValidParameters)
    keepAddress(api.addresses, plan.method, exchange.received.url, { plan, params, query });
  if (areParametersValid && isBodyValid) {
    exchange.isValid = true;
    // The profile accepts unknown parameters and fields.
    for (const name in query) if (!plan.queryNames.has(name)) exchange.assume('unknown-query');
    const { fields } = plan;
    if (fields) for (const name in Object(body)) if (!fields.has(name)) exchange.assume('unknown-field');
    return undefined;
  }
  const refusal = invalidRequest(
    [
      ...(areParametersValid ? [] : findingsOf(parameters.errors)),
      ...(isBodyValid ? [] : findingsOf(bodyValidator.errors)),
    ],
    plan.id,
    world.answers,
    { query, body },
  );
  const { judge } = world.services;
  if (!judge) throw refusal;
  return judge(api.document, exchange).then((isValid) => {
    if (isValid) countBug(exchange, `the judge accepts what the mock refuses: ${refusal.message}`);
    throw refusal;
  });
}

/** Runs the operation on the world; records what it changed, also if it throws. */
function runOperation(exchange: Exchange): Answer {
  const { plan, world, params, query, body, caller, bearer } = exchange;
  if (!plan) throw new Error('No operation was matched to this request.');
  // Validated against this operation; TypeScript cannot relate the two.
  const operation = operations[plan.id] as Operation;
  const [assume, leanOn] = [exchange.assume.bind(exchange), exchange.leanOn.bind(exchange)];
  const sent = { params, query, body, caller, bearer, assume, leanOn };
  const request = sent as OperationRequest;
  const run = (changes?: object) => operation(world, changes ? { ...request, ...changes } : request);
  const response = world.track(exchange.changes, () => exchange.step('operate', run));
  exchange.leanOn('success-codes');
  return { status: plan.success, headers: {}, body: response.body };
}

/** The error response in the profile's shape. Anything but an ApiError is a bug of the mock. */
function refusalOf(exchange: Exchange, error: unknown): Answer {
  if (!(error instanceof ApiError)) return failed(exchange, error);
  exchange.error = error;
  const answer = exchange.refuse(contentOf(error), error.headers);
  for (const gap of error.gaps) exchange.assume(gap);
  return answer;
}

/** A custom route failed, or it is a bug of the mock: the client gets a 500 without internals. */
function failed(exchange: Exchange, cause: unknown): Answer {
  const { world } = exchange;
  let message = 'The mock failed; its log says why.';
  if (cause instanceof RouteFailure) {
    exchange.failure = cause.message;
    world.services.log('error', cause.message);
    message = 'A route of the mock failed; its journal says why.';
  } else countBug(exchange, traceOf(cause));
  return exchange.refuse(contentOf(apiError(world.answers, 'internal', message)));
}

function countBug({ world, arrival }: Exchange, text: string): void {
  world.countViolation();
  world.services.log('error', `BUG: ${arrival.method} ${pathOf(arrival.url)}: ${text}`);
}

function deliveryOf(exchange: Exchange, answer: Answer): Delivery {
  const written = writtenOf(exchange, answer);
  const { isFaulty } = exchange;
  const sent = exchange.changed('transport', written);
  // What a fault changed is neither documented nor assumed. One that is only late or cut off keeps its basis.
  const isChanged = isFaulty || sent.text !== written.text || sent.status !== written.status;
  const delivery =
    isChanged && !exchange.route ? { ...sent, headers: { ...sent.headers, 'X-Mock-Basis': 'fault' } } : sent;
  return exchange.waitMs === 0 ? delivery : { ...delivery, delayMs: (delivery.delayMs ?? 0) + exchange.waitMs };
}

/** Validates the response before faults apply: a violation is a bug of the mock. Answers of custom routes are not validated. */
function writtenOf(exchange: Exchange, answer: Answer): Delivery {
  const { api, plan, route, forced } = exchange;
  if (answer.body === undefined) return { status: answer.status, headers: headersFor(exchange, answer), text: '' };
  const typeOf = ({ mediaType = 'application/json' }: Answer): string => mediaType;
  const kept = keptOf(answer.body);
  const isKnownValid = kept !== undefined && kept.validFor === plan && answer.status === plan?.success;
  const violation =
    route || isKnownValid ? undefined : api.violation({ ...answer, mediaType: typeOf(answer) }, plan?.id, forced);
  if (kept && plan && violation === undefined && answer.status === plan.success) kept.validFor = plan;
  const presented =
    violation === undefined
      ? exchange.changed('present', answer)
      : failed(exchange, `the mock's response ${answer.status} violates the spec: ${violation}`);
  const delivery: Delivery = {
    status: presented.status,
    headers: headersFor(exchange, presented, `${typeOf(violation === undefined ? answer : presented)}; charset=utf-8`),
    text: textOf(presented),
  };
  return exchange.changed('deliver', delivery);
}

function textOf(answer: Answer): string {
  if (answer.mediaType?.includes('json') === false) return asText(answer.body);
  const kept = keptOf(answer.body);
  const text = kept?.text ?? JSON.stringify(answer.body) ?? '';
  if (kept) kept.text = text;
  return text;
}

function headersFor(exchange: Exchange, answer: Answer, type?: string): Record<string, string> {
  const headers: Record<string, string> = { ...exchange.headers, ...answer.headers, 'X-Mock-Basis': exchange.basis };
  if (type !== undefined) headers['Content-Type'] = type;
  // Before the client has it: the tests may end, and the mock with them, at their last response.
  exchange.world.services.onAnswer?.(exchange);
  return headers;
}
