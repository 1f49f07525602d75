import type { Request, RequestHandler } from 'express';
import { type ApiError, apiError } from '../../core/operations/api-error.ts';
import type { Answers } from '../../core/profiles/answers.ts';
import { exchangeOf } from './exchange.ts';
import { parseMediaType } from './media-type.ts';

/** Deeper JSON is refused: nobody means it, and it would exhaust the stack of whoever writes it out again. */
const deepest = 100;

/** Step: reads the body as JSON, where the operation takes one. Media type and length are judged before it is read. */
export const readBody: RequestHandler = (request, response, next) => {
  const exchange = exchangeOf(request);
  const { answers } = exchange.world;
  const body = exchange.plan?.body;
  if (!body) {
    // What is sent all the same is not read, so it must not be judged either.
    delete request.headers['content-type'];
    return next();
  }
  const type = parseMediaType(request.headers['content-type']);
  const isJson = type.type === 'application/json' && [undefined, 'utf-8', 'utf8', 'us-ascii'].includes(type.charset);
  if (hasBody(request) && !isJson) {
    const sent = request.headers['content-type'] ?? 'none';
    return next(
      apiError(answers, 'media-type', `Send the body as application/json in UTF-8, not as ${sent.slice(0, 100)}.`),
    );
  }
  void exchange.api.readBytes(request, response, (error?: unknown) => {
    if (error) return next(unreadable(error, answers));
    const bytes: unknown = request.body;
    const isThere = Buffer.isBuffer(bytes) && bytes.length > 0;
    const result = isThere ? parseJson(bytes, answers) : { value: undefined };
    if (isThere) exchange.sentBytes = bytes;
    exchange.isJson = isThere && 'value' in result;
    if ('error' in result) return next(result.error);
    if (result.value === undefined && body.required) {
      return next(apiError(answers, 'validation', 'The body is missing: send a JSON object.'));
    }
    request.body = result.value;
    // One spelling for all: the validator keeps a compiled validator for each that it meets.
    if (result.value === undefined) delete request.headers['content-type'];
    else request.headers['content-type'] = 'application/json';
    next();
  });
};

const hasBody = (request: Request): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

/** An error of the body reader as what the client is told. */
function unreadable(error: unknown, answers: Answers): ApiError {
  const { type, message } = error as { type?: string; message?: string };
  const limit = answers.get('body-size-limit');
  if (type === 'entity.too.large') return apiError(answers, 'too-large', `The body has more than ${limit} bytes.`);
  if (type === 'encoding.unsupported')
    return apiError(answers, 'media-type', 'Send the body plain, or as gzip, deflate or br.');
  return apiError(answers, 'malformed-json', `The body cannot be read: ${message ?? 'unknown reason'}.`);
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function parseJson(bytes: Buffer, answers: Answers): { value: unknown } | { error: ApiError } {
  const parsed = parseJsonBytes(bytes);
  if (!('problem' in parsed)) return parsed;
  if (parsed.isTooDeep) return { error: apiError(answers, 'validation', `The body is ${parsed.problem}.`) };
  return { error: apiError(answers, 'malformed-json', `The body cannot be read: ${parsed.problem}.`) };
}

/** Reads JSON; says what is wrong with it where it cannot be read. */
export function parseJsonBytes(bytes: Buffer): { value: unknown } | { problem: string; isTooDeep: boolean } {
  try {
    const text = decoder.decode(bytes);
    // Too short to be too deep: most are.
    if (text.length > deepest && isDeeperThan(text, deepest))
      return { problem: `nested more than ${deepest} levels deep`, isTooDeep: true };
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: error instanceof SyntaxError ? 'it is not JSON' : 'it is not UTF-8', isTooDeep: false };
  }
}

/** Counts brackets outside strings; the parser has its say about everything else. */
function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > limit) return true;
  }
  return false;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}
