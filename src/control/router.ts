import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import { parseJsonBytes } from '../server/http/body.ts';
import { exchangeOf } from '../server/http/exchange.ts';
import { parseMediaType } from '../server/http/media-type.ts';
import { logError } from '../log.ts';
import { mainName, type Worlds } from '../core/world/worlds.ts';
import { allowControl } from './access.ts';
import { type Call, type Handler, written } from './call.ts';
import { type CompiledControl, type ControlPlan, compiledControl } from './compiled.ts';
import { type ControlOperation, controlDocument } from './document.ts';
import { explain, type Finding } from './explain.ts';
import { handlers } from './handlers/index.ts';
import { invalid, notFound, Refusal } from './refusal.ts';

export interface ControlOptions {
  readonly token?: string | undefined;
  /** Origins whose pages may call, beside the local ones. */
  readonly cors?: readonly string[] | undefined;
}

const bodyLimit = 10 * 1024 * 1024;

/** The control plane: /_mock over the world that the request belongs to. Answers JSON only, and every path. */
export function controlPlane(worlds: Worlds, { token, cors }: ControlOptions = {}): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use((_request, response, next) => {
    // Nothing here is the API's, so there is nothing that the document says about it.
    response.setHeader('X-Mock-Basis', 'control');
    next();
  });
  router.use(allowControl(token, cors));
  router.use(readBody);
  router.use(async (request, response) => {
    const control = await compiledControl();
    const plan = await match(control, request, response);
    expectBody(request, plan);
    await step(control.validate, request, response, (error) => refusalFor(error, plan));
    await answer(worlds, plan, request, response);
  });
  router.use(answerRefusal);
  return router;
}

const readBytes = express.raw({ type: () => true, limit: bodyLimit });

/** Step: a body, where there is one, is JSON. */
const readBody: RequestHandler = (request, response, next) => {
  void readBytes(request, response, (error?: unknown) => {
    if (error) return next(new Refusal('invalid', `The body cannot be read: ${(error as Error).message}.`));
    const bytes: unknown = request.body;
    request.body = undefined;
    if (!Buffer.isBuffer(bytes) || bytes.length === 0) {
      delete request.headers['content-type'];
      return next();
    }
    const { type } = parseMediaType(request.headers['content-type']);
    if (type !== 'application/json')
      return next(new Refusal('unsupported_media_type', 'Send the body as application/json.'));
    const parsed = parseJsonBytes(bytes);
    if ('problem' in parsed) return next(new Refusal('invalid', `The body cannot be read: ${parsed.problem}.`));
    request.body = parsed.value;
    request.headers['content-type'] = 'application/json';
    next();
  });
};

/** Runs one step of the validator; what it finds wrong is thrown. */
const step = (
  run: RequestHandler,
  request: Request,
  response: Response,
  refusal: (error: { status?: number; headers?: { Allow?: string } }) => unknown,
): Promise<void> =>
  new Promise((resolve, reject) => {
    const done = (error?: unknown) => (error ? reject(refusal(error)) : resolve());
    try {
      void run(request, response, done);
    } catch (error) {
      done(error);
    }
  });

async function match({ match: find, plans }: CompiledControl, request: Request, response: Response) {
  const { path, method } = request;
  if (method === 'HEAD') request.method = 'GET';
  const message = `There is nothing at /_mock${path.slice(0, 200)}.`;
  const known = () =>
    `${message} There are: ${Object.keys(controlDocument().paths)
      .map((one) => `/_mock${one}`)
      .join(', ')}.`;
  if (path.length > 1 && path.endsWith('/')) throw notFound(known());
  await step(find, request, response, ({ status, headers }) => {
    if (status !== 405) return status === 404 ? notFound(known()) : new Refusal('invalid', `${message}`);
    response.setHeader('Allow', headers?.Allow ?? '');
    return new Refusal('method_not_allowed', `This path has ${headers?.Allow ?? 'other methods'}.`);
  });
  const { openapi } = request as { openapi?: { schema: { operationId: string } } };
  const plan = plans.get(openapi?.schema.operationId ?? '');
  if (!plan) throw notFound(known());
  return plan;
}

/** Where a body may be left out, none is an empty one; where it may not, the refusal shows one. */
function expectBody(request: Request, { operation, item }: ControlPlan): void {
  if (!operation.requestBody || request.body !== undefined) return;
  if (operation.requestBody.required)
    throw invalid([explain({ path: '/body', message: 'is missing' }, operation, item)]);
  request.body = {};
  request.headers['content-type'] = 'application/json';
}

function refusalFor(error: unknown, { operation, item }: ControlPlan): unknown {
  const {
    status,
    message = '',
    path = '',
    errors,
  } = error as Partial<Finding> & { status?: number; errors?: Finding[] };
  if (status !== 400 && status !== 415) return error;
  const findings = errors ?? [{ path, message }];
  // Of an anyOf, all branches are told; one finding for each place is enough.
  const places = new Map(findings.map((finding) => [finding.path, finding]));
  return invalid([...places.values()].map((finding) => explain(finding, operation, item)));
}

async function answer(worlds: Worlds, plan: ControlPlan, request: Request, response: Response): Promise<void> {
  const { world, prefix } = exchangeOf(request);
  const gaps: string[] = [];
  const call: Call = {
    world,
    worlds,
    worldName: prefix === '' ? mainName : prefix.slice(2),
    serverUrl: `${request.protocol}://${request.headers.host ?? 'localhost'}`,
    params: (request as { openapi?: { pathParams: object } }).openapi?.pathParams as never,
    query: request.query as never,
    body: (request.body ?? {}) as never,
    assume: (gap) => gaps.push(gap),
    request,
    response,
  };
  // The document says which operation takes which call; the type system cannot follow it here.
  const handler = handlers[plan.id] as Handler<ControlOperation>;
  const body = await handler(call as never);
  if (body === written) return;
  if (gaps.length > 0) response.setHeader('X-Mock-Basis', `assumed; gaps=${gaps.join(',')}`);
  const validate = plan.answer?.();
  if (validate && !validate(body)) {
    const [found] = validate.errors ?? [];
    throw new Error(`our answer to ${plan.id} breaks spec/control.yaml: ${found?.instancePath} ${found?.message}`);
  }
  response.status(plan.success);
  if (validate) response.json(body);
  else response.end();
}

const answerRefusal: ErrorRequestHandler = (error, _request, response, next) => {
  if (response.headersSent) return next(error);
  const isKnown = error instanceof Refusal;
  if (!isKnown) logError(`BUG: control plane: ${error instanceof Error ? error.stack : String(error)}`);
  const refusal = isKnown ? error : new Refusal('internal_error', 'The mock failed; its log says why.');
  response.status(refusal.status).json(refusal.body);
};
