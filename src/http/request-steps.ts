import type { Request, RequestHandler, Response } from 'express';
import { type RouteMetadata, sortRoutes } from 'express-openapi-validator/dist/framework/openapi.spec.loader.js';
import { OpenApiValidator } from 'express-openapi-validator/dist/openapi.validator.js';
import type { Answers } from '../profiles/answers.ts';
import { type ApiDocument, type JsonObject, operationsOf } from '../spec/document.ts';
import { bearerHandler, refreshTokenHandler } from './credentials.ts';

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
  const apiDoc = takingAnyCharacters(document) as never;
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
  if (warms) await warm(document, steps);
  return steps;
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

/** The validator refuses reserved characters in a query unless a parameter allows them; the spec has no such rule. */
function takingAnyCharacters(document: ApiDocument): ApiDocument {
  const copy = structuredClone(document);
  for (const { operation } of operationsOf(copy)) {
    for (const parameter of (operation.parameters ?? []) as JsonObject[]) {
      if (parameter.in === 'query') parameter.allowReserved = true;
    }
  }
  return copy;
}

async function warm(document: ApiDocument, { match, validate }: RequestSteps): Promise<void> {
  for (const { path, method } of operationsOf(document)) {
    const url = path.replaceAll(/\{[^}]+\}/g, 'warm');
    const request = {
      method: method.toUpperCase(),
      url,
      originalUrl: url,
      path: url,
      baseUrl: '',
      headers: { 'content-type': 'application/json' },
      query: {},
      params: {},
      app: { enabled: () => true },
    } as unknown as Request;
    const run = (step: RequestHandler) =>
      new Promise<void>((done) => {
        void step(request, {} as Response, () => done());
      });
    await run(match);
    await run(validate);
  }
}
