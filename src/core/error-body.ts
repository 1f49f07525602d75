import statuses from 'statuses';
import { memberOf } from '../../contract-tests/values/json.ts';
import { type MockRequest, pathOf } from './message.ts';
import type { ApiError, ErrorDetail } from './operations/api-error.ts';
import { timestamp } from './operations/present.ts';
import type { Answers } from './profiles/answers.ts';
import { codeOfKind, type ErrorKind } from './spec/error-kinds.ts';
import type { GapId } from './spec/gaps.ts';
import type { ErrorShape, Shape } from './spec/json.ts';
import { errorForms, hasEach, render, shapeFor } from './spec/shape.ts';
import type { World } from './world/world.ts';

export interface ErrorContent {
  /** Absent if only the status was requested. */
  readonly kind?: ErrorKind;
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly message: string;
  readonly details: readonly ErrorDetail[];
}

export interface ErrorOccasion {
  readonly method: string;
  readonly path: string;
  readonly id: string;
  readonly operation?: string | undefined;
}

export const statusTitle = (status: number, otherwise = `Status ${status}`): string =>
  statuses.message[status] ?? otherwise;

/** The code that a status alone suggests, e.g. 404 -> not_found. */
const codeOfStatus = (status: number): string =>
  statusTitle(status, 'error')
    .toLowerCase()
    .replace(/[^a-z]+/g, '_');

export const contentOfStatus = (status: number, message: string): ErrorContent => ({
  status,
  code: codeOfStatus(status),
  title: statusTitle(status),
  message,
  details: [],
});

/** The content of an ApiError. Kinds that may hide a resource get the generic code of their status. */
export function contentOf(error: ApiError): ErrorContent {
  const { kind, status } = error.kind;
  const own = codeOfKind(kind);
  const code = own ?? codeOfStatus(status);
  const title = own === undefined ? statusTitle(status, error.kind.title) : error.kind.title;
  return { kind, status, code, title, message: error.message, details: error.details };
}

/** An error's body in the profile's shape (gaps error-body, error-codes): text if it is not JSON; undefined if the profile's errors have none. */
export function renderError(content: ErrorContent, { answers, clock }: World, occasion: ErrorOccasion) {
  const { template, mediaType = 'application/json' } = variantFor(content, occasion.operation, errorShape(answers));
  if (template === null) return { body: undefined, mediaType };
  const { status, title, details } = content;
  const message = hasEach('error-body', template) ? content.message : withDetails(content.message, details);
  const values = {
    ...occasion,
    time: timestamp(clock.nowIso(), answers),
    status,
    statusText: String(status),
    title: statusTitle(status, 'Error'),
    summary: title,
    code: codeIn(content, answers, occasion.operation),
    message,
    detail: message,
    ...(details[0] && { field: details[0].field }),
  };
  const items = details.map(({ field, message: detail }) => ({ field, detail }));
  const body = render('error-body', template, values, items, { field: 'body', detail: message });
  return { body, mediaType };
}

/** An error for a client whose Accept does not name JSON (gap error-accept); undefined where it is like any other. */
export function errorForOthers({ kind, status, message }: ErrorContent, accepted: 'any' | 'none', answers: Answers) {
  const form = errorForms(answers.all)[accepted];
  const isOfCredentials = kind === 'missing-credentials' || kind === 'invalid-credentials';
  if (form === 'same') return undefined;
  if (form === 'redirect' && isOfCredentials) return { status: 302, headers: { Location: '/login' }, body: undefined };
  if (form === 'text') return { status, body: message, mediaType: 'text/plain' };
  const [title, text] = [`${status} ${statusTitle(status)}`, message.replaceAll('&', '&amp;').replaceAll('<', '&lt;')];
  const body = `<!DOCTYPE html><title>${title}</title><h1>${title}</h1><p>${text}</p>`;
  return { status, body, mediaType: 'text/html' };
}

const errorShape = (answers: Answers): ErrorShape => shapeFor('error-body', answers.all) ?? { template: null };

const variantFor = ({ kind, status }: ErrorContent, operation: string | undefined, shape: ErrorShape): Shape =>
  shape.cases?.find(
    (one) =>
      (one.for === undefined || one.for.includes(status) || (kind !== undefined && one.for.includes(kind))) &&
      (one.at === undefined || (operation !== undefined && one.at.includes(operation))),
  ) ?? shape;

function codeIn({ kind, code }: ErrorContent, answers: Answers, operation: string | undefined): string {
  const written = answers.get('error-codes');
  if (typeof written === 'object')
    return memberOf(written, `${kind} at ${operation}`) ?? memberOf(written, kind ?? '') ?? code;
  return written === 'upper-snake' ? code.toUpperCase() : code;
}

const bodyGapsOf = new WeakMap<Shape, readonly GapId[]>();

export function bodyGaps(content: ErrorContent, answers: Answers, operation?: string): readonly GapId[] {
  const shape = variantFor(content, operation, errorShape(answers));
  const hasCode = () => JSON.stringify(shape.template).includes('${code}');
  const gaps = bodyGapsOf.get(shape) ?? (hasCode() ? ['error-body', 'error-codes'] : ['error-body']);
  bodyGapsOf.set(shape, gaps);
  return gaps;
}

/** Appends details to the message, for shapes without a field for them. */
function withDetails(message: string, details: readonly ErrorDetail[]): string {
  return details.length === 0
    ? message
    : `${message} ${details.map((one) => `${one.field}: ${one.message}`).join('; ')}`;
}

/** Where a request is answered that no operation sees. */
export const occasionOf = ({ method, url }: Pick<MockRequest, 'method' | 'url'>): ErrorOccasion => ({
  method,
  path: pathOf(url),
  id: '0'.repeat(32),
});

/** The error of a status in the profile's shape, where no operation answers. */
export function statusError(world: World, status: number, message: string, occasion: ErrorOccasion) {
  const { body, mediaType } = renderError(contentOfStatus(status, message), world, occasion);
  const isText = typeof body === 'string' && !mediaType.includes('json');
  return { text: isText ? body : (JSON.stringify(body) ?? ''), mediaType };
}
