import statuses from 'statuses';
import type { ApiError, ErrorDetail } from './operations/api-error.ts';
import type { Answers } from './profiles/answers.ts';
import type { ErrorKind } from './spec/error-kinds.ts';
import type { GapId } from './spec/gaps.ts';

/** The content of an error, independent of its shape. */
export interface ErrorContent {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly message: string;
  readonly details: readonly ErrorDetail[];
}

const codes: { readonly [Kind in ErrorKind]?: string } = {
  'malformed-json': 'malformed_json',
  'media-type': 'unsupported_media_type',
  validation: 'validation_failed',
  'missing-credentials': 'missing_credentials',
  'invalid-credentials': 'invalid_credentials',
  'too-large': 'body_too_large',
  'rate-limited': 'rate_limited',
  internal: 'internal_error',
};

/** The standard title of a status code. */
export const statusTitle = (status: number, otherwise = `Status ${status}`): string =>
  statuses.message[status] ?? otherwise;

/** The code that a status alone suggests, e.g. 404 -> not_found. */
export const codeOfStatus = (status: number): string =>
  statusTitle(status, 'error')
    .toLowerCase()
    .replace(/[^a-z]+/g, '_');

/** The content of an ApiError. Kinds that may hide a resource get the generic code of their status. */
export function contentOf(error: ApiError): ErrorContent {
  const { kind, status } = error.kind;
  const code = codes[kind] ?? codeOfStatus(status);
  const title = codes[kind] ? error.kind.title : statusTitle(status, error.kind.title);
  return { status, code, title, message: error.message, details: error.details };
}

const styles: { readonly [Style in ReturnType<typeof styleOf>]: (content: ErrorContent) => unknown } = {
  'error-object': ({ code, message, details }) => ({
    error: { code, message, ...(details.length > 0 && { details }) },
  }),
  problem: ({ code, title, status, message, details }) => ({
    type: 'about:blank',
    title,
    status,
    detail: withDetails(message, details),
    code,
  }),
  detail: ({ message, details }) => ({ detail: withDetails(message, details) }),
  message: ({ status, message, details }) => ({
    statusCode: status,
    error: statusTitle(status, 'Error'),
    message: withDetails(message, details),
  }),
  'errors-list': ({ code, message, details }) => ({
    errors: details.length > 0 ? details.map((detail) => ({ code, ...detail })) : [{ code, message }],
  }),
};

const styleOf = (answers: Answers) => answers.get('error-body');

/** Shapes with a code (gap error-codes). */
const stylesWithCode = ['error-object', 'problem', 'errors-list'];

/** An error's body in the profile's shape (gaps error-body, error-codes). */
export function renderError(content: ErrorContent, answers: Answers): unknown {
  const code = answers.get('error-codes') === 'upper-snake' ? content.code.toUpperCase() : content.code;
  return styles[styleOf(answers)]({ ...content, code });
}

/** Gaps that decide the body of every error. */
export const bodyGaps = (answers: Answers): GapId[] =>
  stylesWithCode.includes(styleOf(answers)) ? ['error-body', 'error-codes'] : ['error-body'];

/** Media type of error bodies under the answers in force. */
export const errorMediaType = (answers: Answers): string =>
  styleOf(answers) === 'problem' ? 'application/problem+json' : 'application/json';

/** Appends details to the message, for shapes without a field for them. */
function withDetails(message: string, details: readonly ErrorDetail[]): string {
  return details.length === 0
    ? message
    : `${message} ${details.map((one) => `${one.field}: ${one.message}`).join('; ')}`;
}
