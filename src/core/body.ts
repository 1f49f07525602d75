import type { Exchange } from './exchange.ts';
import { headerOf, parseMediaType, type ReadBody, readBytes } from './message.ts';
import { apiError } from './operations/api-error.ts';
import { type ErrorKind, mediaTypeAnswer } from './spec/error-kinds.ts';

/** Deeper JSON is refused: serializing it could overflow the stack. */
const maxDepth = 100;

/** Reads the body as JSON if the operation takes one, then calls `next`. The media type is checked before the bytes. */
export function readBody<T>(exchange: Exchange, next: () => T | Promise<T>): T | Promise<T> {
  const { world, received, request, plan } = exchange;
  // An operation without a body ignores one of any media type.
  if (!plan?.body) return next();
  const sentType = headerOf(received.headers, 'content-type');
  const { type, charset } = parseMediaType(sentType ?? '');
  const isJson = type === 'application/json' && charsets.includes(charset);
  const isOther = request.body !== undefined && !isJson;
  const ofOther = isOther ? mediaTypeAnswer(world.answers.all, plan.id) : undefined;
  if (isOther) exchange.assume('media-type-status');
  const isMissing = request.body === undefined || ofOther === 'no-body';
  if (isMissing && plan.body.required && world.answers.get('missing-body') === 'media-type') {
    exchange.assume('missing-body');
    refuse(exchange, isJson ? 'malformed-json' : 'media-type', 'Send a body as application/json.');
  }
  if (typeof ofOther === 'number') {
    const shown = (sentType ?? 'none').slice(0, 100);
    refuse(exchange, 'media-type', `Send the body as application/json in UTF-8, not as ${shown}.`);
  }
  const limit = world.answers.get('body-size-limit');
  if (ofOther === 'no-body') {
    parseBody(exchange, {}, limit);
    return next();
  }
  const read = exchange.readBody ?? readBytes(request, limit);
  const parse = (body: ReadBody): T | Promise<T> => {
    exchange.readBody = body;
    parseBody(exchange, body, limit);
    return next();
  };
  return read instanceof Promise ? read.then(parse) : parse(read);
}

const charsets = [undefined, 'utf-8', 'utf8', 'us-ascii'];

function refuse({ world, plan }: Exchange, kind: ErrorKind, message: string): never {
  throw apiError(world.answers, kind, message, { operation: plan?.id });
}

function parseBody(exchange: Exchange, { bytes, problem }: ReadBody, limit: number): void {
  if (problem === 'too-large') refuse(exchange, 'too-large', `The body has more than ${limit} bytes.`);
  if (problem === 'encoding') refuse(exchange, 'media-type', 'Send the body plain, or as gzip, deflate or br.');
  if (problem === 'unreadable') refuse(exchange, 'malformed-json', 'The body cannot be read: it is incomplete.');
  if (!bytes || bytes.length === 0) {
    const isObject = exchange.assume('missing-body') === 'empty-object';
    if (isObject) exchange.body = {};
    else if (exchange.plan?.body?.required) refuse(exchange, 'validation', 'The body is missing: send a JSON object.');
    return;
  }
  exchange.sentBytes = bytes;
  const parsed = parseJsonBytes(bytes);
  if ('value' in parsed) {
    exchange.isJson = true;
    exchange.body = parsed.value;
  } else if (parsed.isTooDeep) refuse(exchange, 'validation', `The body is ${parsed.problem}.`);
  else refuse(exchange, 'malformed-json', `The body cannot be read: ${parsed.problem}.`);
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Parses JSON, or returns the problem; a text with more than `mostValues` members and elements is not parsed. */
export function parseJsonBytes(
  bytes: Uint8Array,
  mostValues = Number.POSITIVE_INFINITY,
): { value: unknown } | { problem: string; isTooDeep: boolean } {
  try {
    const text = decoder.decode(bytes);
    // A shorter text cannot be nested too deeply.
    const shape = bytes.length > maxDepth ? shapeOf(bytes, mostValues) : undefined;
    if (shape !== undefined) return { problem: shape, isTooDeep: true };
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: error instanceof SyntaxError ? 'it is not JSON' : 'it is not UTF-8', isTooDeep: false };
  }
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openBracket, openBrace, closeBracket, closeBrace] = [0x5b, 0x7b, 0x5d, 0x7d];

/** Counts brackets and commas outside strings; the parser checks everything else. */
function shapeOf(bytes: Uint8Array, mostValues: number): string | undefined {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) at = endOfString(bytes, at);
    else if (byte === openBracket || byte === openBrace) depth += 1;
    else if (byte === closeBracket || byte === closeBrace) depth -= 1;
    else if (byte === comma) values += 1;
    if (depth > maxDepth) return `nested more than ${maxDepth} levels deep`;
    if (values > mostValues) return `longer than ${mostValues} values`;
  }
  return undefined;
}

function endOfString(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1) {
    if (bytes[at] === backslash) at += 1;
    else if (bytes[at] === quote) return at;
  }
  return bytes.length;
}
