import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Express, Request, Response } from 'express';
import { type ApiDocument, type JsonObject, operationsOf } from '../core/spec/document.ts';
import type { Judge } from '../core/world/world.ts';

const validators = new WeakMap<ApiDocument, Promise<Express>>();

/** express-openapi-validator for one document, cached. It loads on first use or when idle: that takes as long as the mock. */
export function validatorFor(document: ApiDocument): Promise<Express> {
  const known = validators.get(document) ?? makeValidator(document);
  validators.set(document, known);
  return known;
}

async function makeValidator(document: ApiDocument): Promise<Express> {
  const { default: express } = await import('express');
  const { middleware } = await import('express-openapi-validator');
  const answers = document.info['x-answers'] as JsonObject | undefined;
  const app = express();
  app.set('query parser', 'simple');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.use(
    middleware({
      apiSpec: forRequests(document) as Parameters<typeof middleware>[0]['apiSpec'],
      // A test validates the document under every profile.
      validateApiSpec: false,
      validateRequests: { allowUnknownQueryParameters: answers?.['unknown-query'] === 'ignore' },
      // `answerRules` validates responses: this validator covers neither errors nor headers.
      validateResponses: false,
      validateSecurity: false,
      ajvFormats: { mode: 'full' },
      fileUploader: false,
    }),
  );
  return app;
}

/** The document with reserved characters in parameters, as the spec allows, and without responses, which take time to compile. */
function forRequests(document: ApiDocument): ApiDocument {
  const copy = structuredClone(document);
  for (const { operation } of operationsOf(copy)) {
    const responses = { default: { description: 'not validated' } };
    Object.assign(operation, { responses, security: [] });
    for (const parameter of operation.parameters ?? []) if (parameter.in === 'query') parameter.allowReserved = true;
  }
  return copy;
}

/** express-openapi-validator as a second judge of requests that the compiled validators refuse. */
export const judge: Judge = async (document, { received, body }) => {
  const validate = await validatorFor(document);
  const request = new IncomingMessage(new Socket());
  const { 'content-type': _, ...headers } = received.headers;
  Object.assign(request, {
    method: received.method === 'HEAD' ? 'GET' : received.method,
    url: received.url,
    // Normalized: the validator caches a compiled validator per content type.
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    body,
  });
  return new Promise((resolve, reject) => {
    validate(request as Request, new ServerResponse(request) as Response, (error?: unknown) => {
      if (!error || (error as { status?: number }).status === 400) resolve(!error);
      else reject(error);
    });
  });
};
