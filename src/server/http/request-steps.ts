import type { Request, RequestHandler } from 'express';
import { type RouteMetadata, sortRoutes } from 'express-openapi-validator/dist/framework/openapi.spec.loader.js';
import { RequestValidator } from 'express-openapi-validator/dist/middlewares/openapi.request.validator.js';
import { OpenApiValidator } from 'express-openapi-validator/dist/openapi.validator.js';
import type { Answers } from '../../core/profiles/answers.ts';
import { type ApiDocument, type JsonObject, operationsOf } from '../../core/spec/document.ts';
import { bearerHandler, refreshTokenHandler } from './credentials.ts';
import { type CompiledOperation, quickSteps, settled, type ValidatorMatch } from './quick-steps.ts';

/** The steps that express-openapi-validator takes, apart, so that the profile can order them. */
export interface RequestSteps {
  readonly match: RequestHandler;
  readonly authenticate: RequestHandler;
  readonly validate: RequestHandler;
}

/** What the API leaves to the profile, and the control plane does not. */
interface StepOptions {
  readonly takesUnknownQuery: boolean;
  readonly handlers: { readonly [scheme: string]: (request: Request) => boolean };
  /** Compiles every operation now, so that the first requests are as fast as the others. */
  readonly warms: boolean;
}

/** The steps of a resolved document of the API. */
export const requestSteps = (document: ApiDocument, answers: Answers): Promise<RequestSteps> =>
  validatorSteps(document, {
    takesUnknownQuery: answers.get('unknown-query') === 'ignore',
    handlers: { bearer: bearerHandler, refreshToken: refreshTokenHandler },
    warms: true,
  });

/**
 * Compiles a document.
 * Responses are validated by answer-rules.ts: the validator's own step does not see errors, headers or content types.
 */
export async function validatorSteps(
  document: ApiDocument,
  { takesUnknownQuery, handlers, warms }: StepOptions,
): Promise<RequestSteps> {
  const apiDoc = forRequests(document) as never;
  const validator = new OpenApiValidator({
    apiSpec: apiDoc,
    validateRequests: { allowUnknownQueryParameters: takesUnknownQuery },
    validateResponses: false,
    validateSecurity: { handlers: handlers as never },
    ajvFormats: { mode: 'full' },
    fileUploader: false,
    // The prefix of a sandbox is taken off req.url, not off req.originalUrl.
    useRequestUrl: true,
  });
  // Handed over as loaded: the validator's own loader compiles the schema of OpenAPI itself, even where it is not to
  // validate with it, which takes a quarter of our start-up time. The document is bundled and was validated by us.
  const loaded = { apiDoc, basePaths: [''], routes: routesOf(document), serial: 1 };
  const installed = validator.installMiddleware(Promise.resolve(loaded));
  const compiled = compiledBy(validator);
  const step = (name: string): RequestHandler => {
    const found = installed.find((handler) => handler.name === name);
    if (!found) throw new Error(`express-openapi-validator has no step ${name}`);
    return found as RequestHandler;
  };
  const steps = {
    match: step('metadataMiddleware'),
    authenticate: step('securityMiddleware'),
    validate: step('requestMiddleware'),
  };
  if (!warms) return steps;
  const operations = await warm(document, steps, compiled);
  return quickSteps(steps, operations, handlers.bearer ?? (() => false));
}

/** The functions that the validator compiles for an operation, once it has; under the key that it keeps them by. */
type CompiledBy = (
  key: string,
) => { parameters: (data: object) => boolean; body: (data: object) => boolean } | undefined;

/** Has the validator make its request validator by our hand, so that we can reach what that compiles. */
function compiledBy(validator: OpenApiValidator): CompiledBy {
  interface Inside {
    requestValidationMiddleware(document: never): RequestHandler;
    readonly ajvOpts: { readonly request: never };
  }
  interface Validators {
    getSchema(key: string): ((data: object) => boolean) | undefined;
  }
  const inside = validator as unknown as Inside;
  let made: { readonly ajv: Validators; readonly ajvBody: Validators } | undefined;
  inside.requestValidationMiddleware = (document) => {
    const requests = new RequestValidator(document, inside.ajvOpts.request);
    made = requests as unknown as NonNullable<typeof made>;
    return (request, response, next) => requests.validate(request as never, response, next);
  };
  return (key) => {
    const [parameters, body] = [made?.ajv.getSchema(key), made?.ajvBody.getSchema(key)];
    return parameters && body && { parameters, body };
  };
}

/** The routes in the validator's form, literal ones before templates. */
function routesOf(document: ApiDocument): RouteMetadata[] {
  return operationsOf(document)
    .map(({ path, method }) => ({
      basePath: '',
      expressRoute: path.replaceAll(/\{([^}]+)\}/g, ':$1'),
      openApiRoute: path,
      method: method.toUpperCase(),
      pathParams: [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name),
    }))
    .sort(sortRoutes);
}

/**
 * The document as the validator needs it. It refuses reserved characters in a query unless a parameter allows them, and
 * the spec has no such rule. It compiles what it finds of responses, which it is not to validate, at some length.
 */
function forRequests(document: ApiDocument): ApiDocument {
  const copy = structuredClone(document);
  for (const { operation } of operationsOf(copy)) {
    (operation as { responses: object }).responses = { default: { description: 'not for the validator' } };
    for (const parameter of (operation.parameters ?? []) as JsonObject[]) {
      if (parameter.in === 'query') parameter.allowReserved = true;
    }
  }
  return copy;
}

function isText(schema: unknown, document: ApiDocument): boolean {
  const { $ref, allOf, type } = (schema ?? {}) as { $ref?: string; allOf?: readonly unknown[]; type?: unknown };
  const [, name = ''] = /^#\/components\/schemas\/(\w+)$/.exec($ref ?? '') ?? [];
  if ($ref !== undefined) return isText(document.components.schemas[name], document);
  return type === 'string' || (allOf ?? []).some((part) => isText(part, document));
}

/** Has each operation compiled, and takes up what was compiled for it. */
async function warm(
  document: ApiDocument,
  { match, validate }: RequestSteps,
  compiled: CompiledBy,
): Promise<CompiledOperation[]> {
  const operations = await Promise.all(
    operationsOf(document).map(async ({ path, method, operation }) => {
      const checks = new Map<string, NonNullable<ReturnType<CompiledBy>>>();
      const url = path.replaceAll(/\{[^}]+\}/g, 'warm');
      const at = { method: method.toUpperCase(), url, originalUrl: url, path: url, baseUrl: '' };
      const app = { enabled: () => true };
      let found: ValidatorMatch | undefined;
      for (const type of operation.requestBody ? ['application/json', ''] : ['']) {
        const headers = type === '' ? {} : { 'content-type': type };
        const request = { ...at, headers, query: {}, params: {}, app } as unknown as Request;
        await settled(match, request);
        await settled(validate, request);
        found = (request as { openapi?: ValidatorMatch }).openapi;
        const route = path.replaceAll(/\{([^}]+)\}/g, ':$1');
        const check = compiled(`${at.method}-${route}-${type || 'not_provided'}`);
        if (check) checks.set(type, check);
      }
      if (!found) throw new Error(`express-openapi-validator does not find ${at.method} ${path}`);
      // What else the validator may have to read or fill in is its own affair.
      const parameters = (operation.parameters ?? []) as JsonObject[];
      const isPlain = parameters.every(
        (parameter) =>
          parameter.in === 'path' || (parameter.in === 'query' && !JSON.stringify(parameter).includes('"default"')),
      );
      const texts = new Set(
        parameters
          .filter((parameter) => parameter.in === 'query' && isText(parameter.schema, document))
          .map(({ name }) => String(name)),
      );
      const security = (operation.security ?? []) as JsonObject[];
      return { method: at.method, path, match: found, security, texts, checks: isPlain ? checks : new Map() };
    }),
  );
  const order = routesOf(document).map((route) => `${route.method} ${route.openApiRoute}`);
  const position = (one: CompiledOperation) => order.indexOf(`${one.method} ${one.path}`);
  return operations.sort((left, right) => position(left) - position(right));
}
