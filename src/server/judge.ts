import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Express, Request, Response } from 'express';
import type { Exchange } from '../core/exchange.ts';
import type { Judge } from '../core/handle.ts';
import { type ApiDocument, type JsonObject, operationsOf } from '../core/spec/document.ts';
import type { Finding } from '../core/validation/refusal.ts';

const validators = new WeakMap<ApiDocument, Promise<Express>>();

/**
 * express-openapi-validator for one document, cached. It takes as long to load as the rest of the mock, so it is loaded on
 * first use or when the server is idle.
 */
export function validatorFor(document: ApiDocument): Promise<Express> {
  const known = validators.get(document) ?? makeValidator(document);
  validators.set(document, known);
  return known;
}

/** An Express app that only validates. */
async function makeValidator(document: ApiDocument): Promise<Express> {
  const { default: express } = await import('express');
  const { middleware } = await import('express-openapi-validator');
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.use(
    middleware({
      apiSpec: forRequests(document) as unknown as Parameters<typeof middleware>[0]['apiSpec'],
      // A test validates the document under every profile.
      validateApiSpec: false,
      validateRequests: { allowUnknownQueryParameters: allowsUnknownQuery(document) },
      // answer-rules.ts validates responses: this validator covers neither errors nor headers.
      validateResponses: false,
      validateSecurity: false,
      ajvFormats: { mode: 'full' },
      fileUploader: false,
      // The prefix of a sandbox is removed from req.url, not from req.originalUrl.
      useRequestUrl: true,
    }),
  );
  return app;
}

const allowsUnknownQuery = ({ info }: ApiDocument): boolean =>
  (info['x-answers'] as JsonObject | undefined)?.['unknown-query'] === 'ignore';

/**
 * The document for the validator. Parameters allow reserved characters, which it would refuse although the spec does not.
 * Responses are removed, because compiling them takes time and it does not validate them.
 */
function forRequests(document: ApiDocument): ApiDocument {
  const copy = structuredClone(document);
  for (const { operation } of operationsOf(copy)) {
    const responses = { default: { description: 'not validated' } };
    Object.assign(operation, { responses, security: [] });
    for (const parameter of operation.parameters ?? []) if (parameter.in === 'query') parameter.allowReserved = true;
  }
  return copy;
}

/** Reviews a Node request with express-openapi-validator. */
export const judgeOf =
  (request: IncomingMessage, response: ServerResponse): Judge =>
  async (document, exchange) => {
    const validate = await validatorFor(document);
    return new Promise((resolve, reject) => {
      updateRequest(request, exchange);
      validate(request as Request, response as Response, (error?: unknown) => {
        if (!error) return resolve([]);
        const findings = findingsOf(error);
        if (findings) resolve(findings);
        else reject(error);
      });
    });
  };

/** Updates the Node request to what the service received, with its parsed body. */
function updateRequest(request: IncomingMessage, { received, body }: Exchange): void {
  const { 'content-type': _, ...headers } = received.headers;
  Object.assign(request, {
    method: received.method === 'HEAD' ? 'GET' : received.method,
    url: received.url,
    // Normalized: the validator caches a compiled validator per content type.
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    body,
  });
}

interface ValidatorError {
  readonly status?: number;
  readonly message?: string;
  readonly path?: string;
  readonly errors?: readonly { readonly path: string; readonly message: string; readonly errorCode?: string }[];
}

function findingsOf(error: unknown): Finding[] | undefined {
  const { status, message = 'is not valid', path = '', errors } = error as ValidatorError;
  if (status !== 400) return undefined;
  return (errors ?? [{ path, message }]).map((one) => ({
    path: one.path,
    message: one.message,
    keyword: ('errorCode' in one ? one.errorCode : undefined)?.split('.')[0] ?? '',
  }));
}
