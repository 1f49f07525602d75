import type { RequestHandler } from 'express';
import { type ApiError, apiError, type ErrorDetail } from '../../core/operations/api-error.ts';
import type { Answers } from '../../core/profiles/answers.ts';
import type { OperationId } from '../../core/spec/document.ts';
import type { GapId } from '../../core/spec/gaps.ts';
import { exchangeOf, queryOf } from './exchange.ts';

/** One finding of express-openapi-validator. */
interface Finding {
  readonly path: string;
  readonly message: string;
  readonly errorCode?: string;
}

/** Step: parameters and body against the resolved spec. */
export const validateRequest: RequestHandler = (request, response, next) => {
  const exchange = exchangeOf(request);
  const told = (error: unknown) => next(error && refusalFor(error, exchange.plan?.id, exchange.world.answers));
  try {
    void exchange.api.validate(request, response, (error?: unknown) => {
      if (error) return told(error);
      exchange.isValid = true;
      const known = exchange.plan?.queryNames;
      // Taken though it is not known: the profile says so.
      if (Object.keys(queryOf(request)).some((name) => !known?.has(name))) exchange.assume('unknown-query');
      next();
    });
  } catch (error) {
    told(error);
  }
};

/** The validator's error as what the client is told; an error that is none of its own passes through. */
function refusalFor(error: unknown, operation: OperationId | undefined, answers: Answers): unknown {
  const { status, message, path, errors } = error as {
    status?: number;
    message?: string;
    path?: string;
    errors?: Finding[];
  };
  if (status === 415) return apiError(answers, 'media-type', 'Send the body as application/json.');
  if (status !== 400) return error;
  const findings = errors ?? [{ path: path ?? '', message: message ?? 'is not valid' }];
  return validationError(findings, operation, answers);
}

function validationError(findings: readonly Finding[], operation: OperationId | undefined, answers: Answers): ApiError {
  const details = findings.map(
    ({ path, message }): ErrorDetail => ({ field: fieldOf(path).slice(0, 200), message: message.slice(0, 500) }),
  );
  const gaps = new Set(findings.flatMap((finding) => gapsBehind(finding, operation) ?? []));
  const fields = [...new Set(details.map((detail) => detail.field))].join(', ');
  return apiError(answers, 'validation', `The request is not valid: ${fields}.`, { details, gaps: [...gaps] });
}

/** `/body/title` -> `title`; the body itself is `body`. */
const fieldOf = (path: string): string => path.split('/').slice(2).join('.') || path.split('/')[1] || 'request';

const bodyGap: { readonly [Id in OperationId]?: GapId } = {
  login: 'login-request',
  refreshAccessToken: 'refresh-request',
  createApiToken: 'pat-create-request',
};

/** The gap whose answer made the request invalid; none where the document itself says what is right. */
function gapsBehind({ path, message, errorCode = '' }: Finding, operation: OperationId | undefined): GapId | undefined {
  const keyword = errorCode.split('.')[0];
  if (path === '/query/provider') return 'unknown-provider-filter';
  if (path === '/query/limit' || path === '/query/offset') return 'pagination';
  if (path.startsWith('/query/') && message.startsWith('Unknown')) return 'unknown-query';
  if (operation === 'ssoLogin') return keyword === 'required' ? 'sso-required-claims' : undefined;
  if (operation !== 'updateRecording') return operation && bodyGap[operation];
  if (keyword === 'minProperties') return 'empty-update';
  if (path.startsWith('/body/analysis/')) return 'analysis-structure';
  if (keyword === 'additionalProperties') return 'unknown-field';
  return path.startsWith('/body/') ? 'wrong-type' : undefined;
}
