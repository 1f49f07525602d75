import { type ApiError, apiError, type ErrorDetail } from '../operations/api-error.ts';
import type { Answers } from '../profiles/answers.ts';
import type { OperationId } from '../spec/document.ts';
import { type ErrorObject, errorPath, errorText } from './errors.ts';
import { gapsBehind } from './gaps-behind.ts';

export interface Finding {
  /** `/body/title`, `/query/limit`; the body itself is `/body`. */
  readonly path: string;
  readonly message: string;
  /** The violated keyword of JSON Schema, such as `required`. */
  readonly keyword: string;
}

/** The errors of a compiled validator as findings. */
export const findingsOf = (errors: readonly ErrorObject[] | null | undefined): Finding[] =>
  (errors ?? []).map((error) => ({
    path: `/${errorPath(error).join('/')}`,
    message: errorText(error),
    keyword: error.keyword,
  }));

/** Maximum number of findings in a refusal: more are usually one repeated mistake. */
const maxDetails = 20;

/** The error response to an invalid request. */
export function invalidRequest(
  findings: readonly Finding[],
  operation: OperationId | undefined,
  answers: Answers,
): ApiError {
  const details = findings
    .slice(0, maxDetails)
    .map(({ path, message }): ErrorDetail => ({ field: fieldOf(path).slice(0, 200), message: message.slice(0, 500) }));
  const gaps = new Set(
    findings
      .slice(0, maxDetails)
      .flatMap(({ path, keyword }) => (operation ? gapsBehind(operation, path, keyword) : [])),
  );
  const fields = [...new Set(details.map((detail) => detail.field))].join(', ');
  return apiError(answers, 'validation', `The request is not valid: ${fields}.`, { details, gaps: [...gaps] });
}

/** `/body/title` -> `title`; the body itself is `body`. */
const fieldOf = (path: string): string => path.split('/').slice(2).join('.') || path.split('/')[1] || 'request';
