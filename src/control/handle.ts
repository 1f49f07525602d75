import { traceOf } from '../../contract-tests/values/json.ts';
import { parseJsonBytes } from '../core/body.ts';
import {
  headerOf,
  type MockRequest,
  type MockResponse,
  parseMediaType,
  pathOf,
  queryOf,
  readBytes,
} from '../core/message.ts';
import { ConfigError, LimitError } from '../core/spec/config-error.ts';
import { isObject } from '../core/spec/json.ts';
import { findingsOf, maxDetails } from '../core/validation/refusal.ts';
import { applyDueStatuses } from '../core/world/processing.ts';
import { StoreUnavailable } from '../core/world/world-store.ts';
import { mainName, splitSandbox, type Worlds } from '../core/world/worlds.ts';
import type { Call, Handler } from './call.ts';
import { type ControlOperation, controlDocument } from './document.ts';
import { explain } from './explain.ts';
import { handlers } from './handlers/index.ts';
import { isProbe } from './is-control.ts';
import { type ControlPlan, findControl } from './plans.ts';
import { invalid, invalidField, notFound, Refusal } from './refusal.ts';
import { findRemoved } from './removed.ts';

const bodyLimit = 10 * 1024 * 1024;
const mostValues = 20_000;

/** The control plane as a function: /_mock of the world that the URL addresses. Rejects with StoreUnavailable only. */
export async function handleControl(worlds: Worlds, request: MockRequest): Promise<MockResponse> {
  const headers: Record<string, string> = { 'X-Mock-Basis': 'control' };
  const json = (status: number, body: unknown): MockResponse => ({
    status,
    headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' },
    body: JSON.stringify(body),
  });
  try {
    const { plan, params } = match(request, headers);
    const query = queryOf(request.url);
    const body = await bodyFor(plan, request);
    // The validator coerces parameters in place.
    validate(plan, { query, params, headers: { ...request.headers } }, body);
    const sent = { request, headers, params: params as never, query: query as never, body: (body ?? {}) as never };
    const answer = await run(worlds, plan, sent);
    if (isStream(answer)) {
      if (request.method !== 'HEAD') return { status: plan.success, headers, body: answer };
      await answer.cancel();
    } else if (typeof answer === 'object') return json(plan.success, answer);
    return { status: plan.success, headers, body: typeof answer === 'string' ? answer : '' };
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    const refusal = refusalOf(worlds, error);
    if (refusal.code === 'unavailable') headers['Retry-After'] = '1';
    return json(refusal.status, refusal.body);
  }
}

/** Without the global class, which Node loads at its first use: that took longer than the call. */
const isStream = (answer: unknown): answer is ReadableStream<Uint8Array> =>
  typeof answer === 'object' && answer !== null && 'getReader' in answer;

function refusalOf(worlds: Worlds, error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof LimitError) return new Refusal('limit', `${error.message}.`);
  if (error instanceof ConfigError) return notFound(`${error.message}.`);
  const text = traceOf(error);
  worlds.services.log('error', `BUG: control plane: ${text}`);
  return new Refusal('internal_error', 'The mock failed; its log says why.');
}

function match({ method, url }: MockRequest, headers: Record<string, string>) {
  const path = pathOf(splitSandbox(url).url).slice('/_mock'.length) || '/';
  const route = findControl(method === 'HEAD' ? 'GET' : method, path);
  if (typeof route === 'object' && 'operation' in route) return { plan: route.operation, params: route.params };
  const successor = findRemoved(method, path);
  if (typeof successor === 'object' && 'operation' in successor)
    throw notFound(`${method} /_mock${successor.operation.path} is gone; instead: ${successor.operation.by}.`);
  const notFoundText = `There is no resource at /_mock${path.slice(0, 200)}.`;
  if (route === undefined) {
    const paths = Object.keys(controlDocument().paths).map((one) => `/_mock${one}`);
    throw notFound(`${notFoundText} Available: ${paths.join(', ')}.`);
  }
  if (route === 'bad-escape') throw new Refusal('invalid', notFoundText);
  headers.Allow = route.methods.join(', ');
  throw new Refusal('method_not_allowed', `This path supports ${headers.Allow}.`);
}

/** The body as JSON, `{}` for a missing optional one; throws Refusal, with an example if a required one is missing. */
async function bodyFor(plan: ControlPlan, request: MockRequest): Promise<unknown> {
  const { requestBody } = plan.operation;
  const { bytes, problem } = await readBytes(request, bodyLimit);
  if (problem === 'too-large') throw new Refusal('invalid', `The body has more than ${bodyLimit} bytes.`);
  if (problem !== undefined)
    throw new Refusal('invalid', 'The body cannot be read: it is incomplete, or its encoding is not supported.');
  if (bytes === undefined || bytes.length === 0) {
    if (requestBody?.required) throw invalid([explain({ path: '/body', message: 'is missing' }, plan)]);
    return requestBody ? {} : undefined;
  }
  if (parseMediaType(headerOf(request.headers, 'content-type') ?? '').type !== 'application/json')
    throw new Refusal('unsupported_media_type', 'Send the body as application/json.');
  const parsed = parseJsonBytes(bytes, mostValues);
  if ('problem' in parsed)
    throw new Refusal('invalid', `The body ${parsed.isTooDeep ? 'is' : 'cannot be read:'} ${parsed.problem}.`);
  if (requestBody) return parsed.value;
  // Some clients always send an object.
  if (isObject(parsed.value) && Object.keys(parsed.value).length === 0) return undefined;
  throw invalidField('body', 'is not used by this operation: leave it out', { allowed: 'no body' });
}

function validate(plan: ControlPlan, sent: object, body: unknown): void {
  const { parameters, body: bodyValidator } = plan;
  const findings = [
    ...(parameters && !parameters(sent) ? findingsOf(parameters.errors?.slice(0, maxDetails)) : []),
    ...(bodyValidator && !bodyValidator({ body }) ? findingsOf(bodyValidator.errors?.slice(0, maxDetails)) : []),
  ];
  if (findings.length === 0) return;
  // anyOf reports all branches; one finding per path is enough.
  const places = new Map(findings.map((finding) => [finding.path, finding]));
  throw invalid([...places.values()].map((finding) => explain(finding, plan)));
}

type Sent = Pick<Call, 'request' | 'headers' | 'params' | 'query' | 'body'>;

async function run(worlds: Worlds, plan: ControlPlan, sent: Sent) {
  const { request, headers } = sent;
  const { name } = splitSandbox(request.url);
  const world = name === undefined ? worlds.main : worlds.sandbox(name, request.isCrossSite);
  // A probe is answered without the store, so it may not change the world.
  if (isProbe(request.url)) headers['Cache-Control'] = 'no-store';
  else applyDueStatuses(world);
  const gaps: string[] = [];
  const assume: Call['assume'] = (gap) => gaps.push(gap);
  const call: Call = { ...sent, world, worlds, worldName: name ?? mainName, serverUrl: request.origin, assume };
  // The call was validated against this operation; TypeScript cannot relate the two.
  const handler = handlers[plan.id] as Handler<ControlOperation>;
  let answer: Awaited<ReturnType<typeof handler>>;
  try {
    answer = await handler(call as never);
  } catch (error) {
    // A sandbox that a refused call made is removed.
    if (name !== undefined) worlds.deleteUnused(name);
    throw error;
  }
  if (gaps.length > 0) headers['X-Mock-Basis'] = `assumed; gaps=${gaps.join(',')}`;
  if (isStream(answer) || !plan.answer || plan.answer(answer)) return answer;
  const [violation] = plan.answer.errors ?? [];
  throw new Error(
    `the response of ${plan.id} violates spec/control.yaml: ${violation?.instancePath} ${violation?.message}`,
  );
}
