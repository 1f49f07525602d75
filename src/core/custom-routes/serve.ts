import { asText } from '../../../contract-tests/values/json.ts';
import { parseJsonBytes } from '../body.ts';
import type { Exchange } from '../exchange.ts';
import { bodiless, formOf, headerOf, parseMediaType, pathOf, queryOf, readBytes } from '../message.ts';
import { ApiError, apiError } from '../operations/api-error.ts';
import type { Answer } from '../operations/behaviour.ts';
import type { PreferableExample } from '../prefer.ts';
import { similarity } from '../profiles/did-you-mean.ts';
import { jsonOrText } from '../spec/json.ts';
import { type Candidate, candidatesFor, routesOf, servedBy, statusOf } from './compile.ts';
import { RouteFailure } from './loaded-routes.ts';
import { differencesFrom } from './matchers.ts';
import type { Route, RouteAnswer, RouteRequest, RouteTurn } from './route.ts';
import { routeWorldOf } from './tables.ts';

/** Maximum body size at undocumented paths, such as uploads; the API's limit is for its operations. */
const mostBytes = 100 * 1024 * 1024;

/** The answer that the header Prefer asks for. */
type Prefer = (examples: PreferableExample[]) => Promise<Answer | undefined> | undefined;

/** Answers by a custom route, if one takes the request. Throws ApiError or RouteFailure. */
export async function serveByRoute(exchange: Exchange, prefer: Prefer): Promise<Answer | undefined> {
  const { world, received, api } = exchange;
  const method = received.method === 'HEAD' ? 'GET' : received.method;
  const path = pathOf(received.url);
  const atPath = candidatesFor(world, path);
  const methods = [...new Set(atPath.map(({ route }) => route.method))];
  exchange.unmatched = { methods, nearest: () => nearestRoute(exchange) };
  const candidates = atPath.filter(({ route }) => route.method === method);
  if (candidates.length === 0) return undefined;
  const isDocumented = api.operationAt(method, path) !== undefined;
  for (const { route, params } of candidates) {
    if (isDocumented && !route.override) continue;
    if (route.times !== undefined && servedBy(world, route.key) >= route.times) continue;
    const limit = isDocumented ? world.answers.get('body-size-limit') : mostBytes;
    const request = await requestFor(exchange, params, limit);
    if (differencesFrom(route.when, request).length > 0) continue;
    const answer = await serve(exchange, route, request, prefer);
    if (answer && isDocumented) exchange.noteCaller();
    if (answer) return answer;
  }
  return undefined;
}

async function serve(exchange: Exchange, route: Route, request: RouteRequest, prefer: Prefer) {
  const { world } = exchange;
  exchange.route = route;
  const turnOf = (served: number): RouteTurn => {
    const { caller } = exchange;
    return { request, caller, served, world: routeWorldOf(exchange, route.key, served), answers: world.answers };
  };
  const wired = (work: () => Promise<RouteAnswer>) => attempt(route, async () => wireAnswer(await work()));
  const examples = (route.examples ?? []).map(({ name, status, answer }) => ({
    name,
    status,
    answer: () => wired(() => answer(turnOf(servedBy(world, route.key)))),
  }));
  const preferring = prefer(examples);
  const preference = preferring && (await preferring);
  if (preference) return preference;
  if (route.auth !== 'none') exchange.identify();
  const { caller } = exchange;
  if (route.auth === 'administrator' && !caller?.user.administrator)
    throw apiError(world.answers, 'forbidden', 'Only administrators may call this.');
  const served = world.countServed(route.key);
  const answer = await attempt(route, () => route.answer(turnOf(served)));
  if (!answer) {
    exchange.route = undefined;
    world.countServed(route.key, -1);
    return undefined;
  }
  Object.assign(exchange, { params: request.params, query: request.query, body: request.body, isValid: true });
  exchange.waitMs += answer.delay ?? 0;
  return wired(async () => answer);
}

async function attempt<T>(route: Route, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ApiError ? error : new RouteFailure(route, error);
  }
}

async function requestFor(exchange: Exchange, params: Candidate['params'], limit: number): Promise<RouteRequest> {
  const { received, world, request } = exchange;
  if (params === 'bad-escape') throw apiError(world.answers, 'validation', 'The path has an invalid percent escape.');
  // Kept, since a body can be read only once, and the API may have to answer.
  exchange.readBody ??= await readBytes(request, limit);
  const { bytes, problem } = exchange.readBody;
  if (problem === 'too-large') throw apiError(world.answers, 'too-large', `The body has more than ${limit} bytes.`);
  if (problem !== undefined) throw apiError(world.answers, 'malformed-json', 'The body cannot be read.');
  exchange.sentBytes = bytes;
  const sent = bytes?.length === 0 ? undefined : bytes;
  const { method, url, headers } = received;
  const query = queryOf(url);
  exchange.routeRequest = {
    method,
    path: pathOf(url),
    url,
    params,
    query,
    headers,
    body: bodyOf(exchange, sent),
    bytes: sent,
  };
  return exchange.routeRequest;
}

const decoder = new TextDecoder();

const FORM = 'application/x-www-form-urlencoded';

/** JSON bodies as JSON, forms as objects, others as text. */
function bodyOf(exchange: Exchange, bytes: Uint8Array | undefined): unknown {
  if (!bytes) return undefined;
  const { type } = parseMediaType(headerOf(exchange.received.headers, 'content-type') ?? '');
  const parsed = /json/.test(type) ? parseJsonBytes(bytes) : undefined;
  exchange.isJson = parsed !== undefined && 'value' in parsed;
  if (parsed && 'value' in parsed) return parsed.value;
  const text = decoder.decode(bytes);
  return type === FORM ? formOf(text) : text;
}

function wireAnswer(answer: RouteAnswer): Answer {
  const status = statusOf(answer);
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw new Error(`the status must be a whole number from 200 to 599, and is ${JSON.stringify(status)}`);
  const headers = Object.entries(answer.headers ?? {}).map(([name, value]) => [name, wireValue(name, value)] as const);
  const contentType = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const mediaType = contentType && parseMediaType(contentType).type;
  return {
    status,
    headers: Object.fromEntries(headers.filter(([name]) => name.toLowerCase() !== 'content-type')),
    ...(bodiless.includes(status) ? { body: undefined } : bodyFor(answer.body, mediaType)),
  };
}

function bodyFor(body: unknown, mediaType: string | undefined): Pick<Answer, 'body' | 'mediaType'> {
  if (typeof body !== 'string') return { body, mediaType: mediaType ?? 'application/json' };
  if (mediaType === undefined || !/json/.test(mediaType)) return { body, mediaType: mediaType ?? 'text/plain' };
  return { body: jsonOrText(body), mediaType };
}

function wireValue(name: string, value: unknown): string {
  if (typeof value === 'object') throw new Error(`the header ${name} must be a text, and is ${JSON.stringify(value)}`);
  const text = asText(value);
  if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) throw new Error(`${JSON.stringify(name)} is not a name of a header`);
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text))
    throw new Error(`the header ${name} cannot hold ${JSON.stringify(text.slice(0, 200))}`);
  return text;
}

const minSimilarity = 0.5;

/** For an error message: the most similar custom route and its differences from this request; empty if none is similar. */
function nearestRoute(exchange: Exchange): string {
  const rated = routesOf(exchange.world)
    .map((route) => ({ route, ...ratingOf(exchange, route) }))
    .filter(({ score }) => score >= minSimilarity)
    .sort((a, b) => b.score - a.score);
  const [best] = rated;
  if (!best) return '';
  const { method, path, source } = best.route;
  const differences = best.differences.length > 0 ? best.differences : ['it left this request to others'];
  return ` The nearest of your routes is ${method} ${path} (${source}): ${differences.join('; ')}.`;
}

/** Similarity of a request to a route, from 0 to 1, and the differences. */
function ratingOf(exchange: Exchange, route: Route): { score: number; differences: string[] } {
  const { received, world, routeRequest } = exchange;
  const path = pathOf(received.url).slice(0, 200);
  const isPath = route.paramsOf(path) !== undefined;
  const isMethod = route.method === (received.method === 'HEAD' ? 'GET' : received.method);
  const differences = [
    ...(isMethod ? [] : [`the method must be ${route.method}, and is ${received.method.slice(0, 20)}`]),
    ...(isPath ? [] : [`the path is ${path}`]),
    ...(isPath && routeRequest ? differencesFrom(route.when, routeRequest) : []),
  ];
  const served = servedBy(world, route.key);
  if (route.times !== undefined && served >= route.times)
    differences.push(`it has answered ${served} ${served === 1 ? 'time' : 'times'}, as often as it may`);
  const likeness = isPath ? 1 : 0.9 * similarity(withParameters(route.path, path), path);
  return { score: likeness - (isMethod ? 0 : 0.2) - 0.01 * differences.length, differences };
}

function withParameters(template: string, path: string): string {
  const sent = path.split('/');
  return template
    .split('/')
    .map((segment, at) => (segment.includes('{') ? (sent[at] ?? '') : segment))
    .join('/');
}
