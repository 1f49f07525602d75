import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Express, type Request, type Response } from 'express';
import type { Exchange } from '../core/exchange.ts';
import type { Judge } from '../core/handle.ts';
import { type ApiDocument, type JsonObject, operationsOf } from '../core/spec/document.ts';
import type { Finding } from '../core/validation/refusal.ts';

const validators = new WeakMap<ApiDocument, Promise<Express>>();

/**
 * express-openapi-validator over one document, made once. It takes as long to load as all the rest of the mock, so it is
 * not loaded before it is first asked for, or the server has nothing else to do.
 */
export function validatorFor(document: ApiDocument): Promise<Express> {
  const known = validators.get(document) ?? makeValidator(document);
  validators.set(document, known);
  return known;
}

/** An Express app that validates and does nothing else. */
async function makeValidator(document: ApiDocument): Promise<Express> {
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
      // A test proves the document valid under every profile.
      validateApiSpec: false,
      validateRequests: { allowUnknownQueryParameters: takesUnknownQuery(document) },
      // Answers are held against the document by ourselves: the validator sees neither errors nor headers.
      validateResponses: false,
      validateSecurity: false,
      ajvFormats: { mode: 'full' },
      fileUploader: false,
      // The prefix of a sandbox is taken off req.url, not off req.originalUrl.
      useRequestUrl: true,
    }),
  );
  return app;
}

const takesUnknownQuery = ({ info }: ApiDocument): boolean =>
  (info['x-answers'] as JsonObject | undefined)?.['unknown-query'] === 'ignore';

/**
 * The document as the validator needs it. It refuses reserved characters in a query unless a parameter allows them, and
 * the spec has no such rule. It compiles what it finds of responses, which it is not to validate, at some length.
 */
function forRequests(document: ApiDocument): ApiDocument {
  const copy = structuredClone(document);
  for (const { operation } of operationsOf(copy)) {
    const responses = { default: { description: 'not for the validator' } };
    Object.assign(operation, { responses, security: [] });
    for (const parameter of operation.parameters ?? []) if (parameter.in === 'query') parameter.allowReserved = true;
  }
  return copy;
}

/** Has the validator judge what a request of Node's came to. */
export const judgeOf =
  (request: IncomingMessage, response: ServerResponse): Judge =>
  async (document, exchange) => {
    const validate = await validatorFor(document);
    return new Promise((resolve, reject) => {
      bringUpToDate(request, exchange);
      validate(request as Request, response as Response, (error?: unknown) => {
        if (!error) return resolve([]);
        const findings = findingsOf(error);
        if (findings) resolve(findings);
        else reject(error);
      });
    });
  };

/** The request as the service received it, with its body read. */
function bringUpToDate(request: IncomingMessage, { received, body }: Exchange): void {
  const { 'content-type': _, ...headers } = received.headers;
  Object.assign(request, {
    method: received.method === 'HEAD' ? 'GET' : received.method,
    url: received.url,
    // One spelling for all: the validator keeps a compiled validator for each that it meets.
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
