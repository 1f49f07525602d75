import type { Exchange } from '../model.ts';
import { parseJson } from './json.ts';
import { once } from './once.ts';

export interface Answer extends Exchange {
  response: NonNullable<Exchange['response']>;
}

/** Whether it is a "success response" (part 4): the document names no code, so any 2xx is one. */
export const isSuccess = ({ response }: Pick<Answer, 'response'>) => response.status >= 200 && response.status < 300;

/** Answers of a gateway, not of the API. */
export const OF_GATEWAY: ReadonlySet<number> = new Set([502, 503, 504]);

/** `200 application/json`, `308 to /v1/things/`, for messages. */
export function describe({ response: { status, headers } }: Pick<Answer, 'response'>): string {
  const { location, 'content-type': type } = headers;
  if (status >= 300 && status < 400 && location !== undefined) return `${status} to ${location.slice(0, 300)}`;
  return type ? `${status} ${type}` : String(status);
}

/** Characters of an answer that are quoted. */
const LONGEST_QUOTE = 200;

/** What a page or a text says: its title, or its first words. */
export function wordsOf({ response: { body } }: Pick<Answer, 'response'>): string {
  const [start = '', ...parts] = body.split('<');
  const behindTag = (part: string): string => part.slice(part.indexOf('>') + 1);
  const title = parts.find((part) => /^title\b/i.test(part)) ?? '';
  const words = parts.map((part) => (/^(style|script)\b/i.test(part) ? '' : behindTag(part)));
  const text = behindTag(title).trim() || [start, ...words].join(' ');
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, LONGEST_QUOTE);
}

/** Many checks look into the same body. */
const parsed = once(({ body }: { body?: string }): unknown => (body === undefined ? undefined : parseJson(body)));

export const sentIn = ({ request }: Pick<Answer, 'request'>): unknown => parsed(request);

/** The response's body as JSON, for any media type; undefined when it is not JSON. */
export const jsonOf = ({ response }: Pick<Answer, 'response'>): unknown => parsed(response);
