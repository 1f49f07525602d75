import type { RequestHandler } from 'express';
import type { KeptBody } from '../world/journal.ts';
import { isControl } from './begin.ts';
import { exchangeOf } from './exchange.ts';

/** Larger bodies are cut: a journal of them would be larger than all that the mock otherwise needs. */
const largestKept = 16 * 1024;

/** Step: the world's journal takes note of every request to the API. It fills in as the request goes on. */
export const journalled: RequestHandler = (request, _response, next) => {
  if (!isControl(request)) {
    const exchange = exchangeOf(request);
    exchange.number = exchange.world.journal.nextNumber();
    exchange.world.journal.add(exchange);
  }
  next();
};

/** What the journal keeps of a body that was parsed from these bytes. */
export const keptValue = (value: unknown, bytes: Buffer): KeptBody =>
  bytes.length <= largestKept ? { value, size: bytes.length } : keptBytes(bytes);

/** What the journal keeps of bytes that could not be parsed, or are too many. */
export const keptBytes = (bytes: Buffer): KeptBody => ({
  start: bytes.toString('utf8', 0, largestKept),
  size: bytes.length,
});

/** What the journal keeps of a text. */
export function keptText(text: string, size: number): KeptBody {
  // A slice would keep the whole text alive.
  return text.length <= largestKept
    ? { start: text, size }
    : { start: Buffer.from(text.slice(0, largestKept)).toString(), size };
}
