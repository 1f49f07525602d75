import type { Exchange } from './exchange.ts';
import { parseMediaType } from './media-type.ts';
import { headerOf, readBytes } from './message.ts';
import { apiError } from './operations/api-error.ts';
import type { ErrorKind } from './spec/error-kinds.ts';

/** Deeper JSON is refused: serializing it could overflow the stack. */
const maxDepth = 100;

/**
 * Reads the body as JSON if the operation takes one. The media type is checked before the bytes.
 * @throws ApiError media-type, too-large, malformed-json, validation
 */
export async function readBody(exchange: Exchange): Promise<void> {
  const { world, plan, received, request } = exchange;
  // A body that the operation does not take is ignored, whatever its media type.
  if (!plan?.body) return;
  const refuse = (kind: ErrorKind, message: string): never => {
    throw apiError(world.answers, kind, message);
  };
  const sentType = headerOf(received.headers, 'content-type');
  const { type, charset } = parseMediaType(sentType);
  const isJson = type === 'application/json' && [undefined, 'utf-8', 'utf8', 'us-ascii'].includes(charset);
  if (request.body !== undefined && !isJson)
    refuse('media-type', `Send the body as application/json in UTF-8, not as ${(sentType ?? 'none').slice(0, 100)}.`);
  const limit = world.answers.get('body-size-limit');
  const { bytes, problem } = await readBytes(request, limit);
  if (problem === 'too-large') refuse('too-large', `The body has more than ${limit} bytes.`);
  if (problem === 'encoding') refuse('media-type', 'Send the body plain, or as gzip, deflate or br.');
  if (problem === 'unreadable') refuse('malformed-json', 'The body cannot be read: it is incomplete.');
  if (!bytes || bytes.length === 0) {
    if (plan.body.required) refuse('validation', 'The body is missing: send a JSON object.');
    return;
  }
  exchange.sentBytes = bytes;
  const parsed = parseJsonBytes(bytes);
  if ('value' in parsed) {
    exchange.isJson = true;
    exchange.body = parsed.value;
  } else if (parsed.isTooDeep) refuse('validation', `The body is ${parsed.problem}.`);
  else refuse('malformed-json', `The body cannot be read: ${parsed.problem}.`);
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Parses JSON; returns the problem if it cannot be parsed. */
export function parseJsonBytes(bytes: Uint8Array): { value: unknown } | { problem: string; isTooDeep: boolean } {
  try {
    const text = decoder.decode(bytes);
    // A shorter text cannot be nested too deeply.
    if (text.length > maxDepth && isDeeperThan(text, maxDepth))
      return { problem: `nested more than ${maxDepth} levels deep`, isTooDeep: true };
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: error instanceof SyntaxError ? 'it is not JSON' : 'it is not UTF-8', isTooDeep: false };
  }
}

/** Counts brackets outside strings; the parser checks everything else. */
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
