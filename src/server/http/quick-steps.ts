import type { Request, RequestHandler, Response } from 'express';
import type { JsonObject, OperationObject } from '../../core/spec/document.ts';
import { asExpress, pathOf } from './plain.ts';
import { routeTable } from './route-table.ts';

/** What express-openapi-validator notes in req.openapi about a request that it found. */
export interface ValidatorMatch {
  readonly openApiRoute: string;
  readonly schema: OperationObject;
  readonly pathParams: Readonly<Record<string, string>>;
}

type Check = (data: object) => boolean;

/** One operation, with what the validator has compiled for it. */
export interface CompiledOperation {
  readonly method: string;
  readonly path: string;
  readonly match: ValidatorMatch;
  /** Schemes of which one is enough; empty: none is needed. */
  readonly security: readonly JsonObject[];
  /** Query parameters that are plain texts: the validator takes them as they are. */
  readonly texts: ReadonlySet<string>;
  /** The validator's own compiled functions, by content type; '' for none. */
  readonly checks: ReadonlyMap<string, { readonly parameters: Check; readonly body: Check }>;
}

interface Steps {
  readonly match: RequestHandler;
  readonly authenticate: RequestHandler;
  readonly validate: RequestHandler;
}

type Matched = Request & { openapi?: ValidatorMatch };

/**
 * The validator's steps with a short way through each for the plain case, on which they would find nothing wrong. It
 * uses what the validator compiled, without what the validator does anew for each request (patterns of all paths,
 * promises, reading the query twice). Whatever is not plain, and all that is wrong, goes the validator's own way.
 */
export function quickSteps(
  thorough: Steps,
  operations: readonly CompiledOperation[],
  bearer: (request: Request) => boolean,
): Steps {
  // The validator relies on what Express adds.
  const whole =
    (step: RequestHandler): RequestHandler =>
    (request, response, next) => {
      asExpress(request, response);
      return step(request, response, next);
    };
  const slow = {
    match: whole(thorough.match),
    authenticate: whole(thorough.authenticate),
    validate: whole(thorough.validate),
  };
  const find = routeTable(operations);
  const byMatch = new Map(operations.map((operation) => [operation.match.schema, operation]));
  const operationOf = (request: Request) => {
    const matched = (request as Matched).openapi;
    return matched && byMatch.get(matched.schema);
  };

  const match: RequestHandler = (request, response, next) => {
    const found = find(request.method, pathOf(request));
    if (!found) return slow.match(request, response, next);
    (request as Matched).openapi = { ...found.operation.match, pathParams: found.params };
    request.params = found.params;
    next();
  };

  const authenticate: RequestHandler = (request, response, next) => {
    const way = wayIn(operationOf(request), request);
    if (way === 'other') return slow.authenticate(request, response, next);
    if (way === 'open') return next();
    try {
      bearer(request);
    } catch (error) {
      return next(error);
    }
    next();
  };

  const validate: RequestHandler = (request, response, next) =>
    isPlainlyValid(operationOf(request), request) ? next() : slow.validate(request, response, next);

  return { match, authenticate, validate };
}

/** 'other': the validator must decide. */
function wayIn(operation: CompiledOperation | undefined, { headers }: Request): 'open' | 'bearer' | 'other' {
  if (!operation) return 'other';
  const [only, more] = operation.security;
  if (only === undefined) return 'open';
  const isBearer = more === undefined && Object.keys(only).length === 1 && only.bearer !== undefined;
  // The validator refuses these before it asks us.
  return isBearer && headers.authorization?.toLowerCase().includes('bearer') ? 'bearer' : 'other';
}

function isPlainlyValid(operation: CompiledOperation | undefined, request: Request): boolean {
  const check = operation?.checks.get(request.headers['content-type'] ?? '');
  const query = operation && plainQuery(request.url, operation.texts);
  if (!check || !query) return false;
  const { headers, params, body } = request;
  const data = { query, headers, params, cookies: undefined, body: body as unknown };
  return check.parameters(data) && check.body(data);
}

/** The query where each name in it is one of `names`, once, and nothing in it is escaped. */
function plainQuery(url: string, names: ReadonlySet<string>): Record<string, string> | undefined {
  const start = url.indexOf('?');
  const query: Record<string, string> = {};
  if (start === -1) return query;
  for (const pair of url.slice(start + 1).split('&')) {
    const [, name = '', value = ''] = /^(\w+)=([\w.-]+)$/.exec(pair) ?? [];
    if (!names.has(name) || Object.hasOwn(query, name)) return undefined;
    query[name] = value;
  }
  return query;
}

/** Runs a step to its end. */
export const settled = (step: RequestHandler, request: Request): Promise<void> =>
  new Promise((done) => {
    void step(request, {} as Response, () => done());
  });
