import type { RequestHandler } from 'express';
import { apiError } from '../../core/operations/api-error.ts';
import type { OperationId } from '../../core/spec/document.ts';
import { answerNothing } from './answer-nothing.ts';
import { exchangeOf } from './exchange.ts';
import { pathOf } from './plain.ts';

/** What express-openapi-validator notes about a request that it found in the spec. */
interface Matched {
  readonly openapi?: {
    readonly schema: { readonly operationId: OperationId };
    readonly pathParams: Readonly<Record<string, string>>;
  };
}

/** Step: which operation is this? OPTIONS is answered with the methods that the path has. */
export const matchOperation: RequestHandler = (request, response, next) => {
  const exchange = exchangeOf(request);
  const { answers } = exchange.world;
  // The validator would take a slash at the end; the document's paths have none.
  if (pathOf(request).length > 1 && pathOf(request).endsWith('/')) {
    return next(apiError(answers, 'unknown-path', noSuchPath(pathOf(request))));
  }
  // Node leaves out the body of an answer to HEAD by itself.
  if (request.method === 'HEAD') request.method = 'GET';
  void exchange.api.match(request, response, (error?: unknown) => {
    if (!error) {
      const matched = (request as Matched).openapi;
      exchange.plan = matched && exchange.api.plans.get(matched.schema.operationId);
      exchange.params = matched?.pathParams ?? {};
      return next(exchange.plan ? undefined : apiError(answers, 'unknown-path', noSuchPath(pathOf(request))));
    }
    const { status, headers } = error as { status?: number; headers?: { Allow?: string } };
    if (status === 405) {
      const allow = allowedMethods(headers?.Allow ?? '');
      if (request.method === 'OPTIONS') {
        exchange.assume('other-capabilities');
        response.setHeader('Allow', allow);
        return answerNothing(exchange, response);
      }
      const message = `${request.method.slice(0, 20)} is not allowed here; this path has ${allow}.`;
      return next(apiError(answers, 'method', message, { headers: { Allow: allow } }));
    }
    if (status === 404) return next(apiError(answers, 'unknown-path', noSuchPath(pathOf(request))));
    if (status === 400)
      return next(apiError(answers, 'validation', 'The path has a percent escape that is not valid.'));
    next(error);
  });
};

const noSuchPath = (path: string): string => `There is nothing at ${path.slice(0, 200)}.`;

/** GET brings HEAD with it; OPTIONS is answered everywhere. */
function allowedMethods(allow: string): string {
  const methods = allow.split(', ').filter(Boolean);
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
}
