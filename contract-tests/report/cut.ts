import type { CheckResult, Exchange, RecordedRequest } from '../model.ts';

/** Longer texts of an exchange are cut in reports, with a note. */
const MAX_BODY = 4_000;
const MAX_HEADER = 20_000;
/** A longer value is only said to be long. */
const MAX_VALUE = 100_000;
/** How a text ends that was cut. */
export const CUT = /… \(\d+ more characters\)$/;

/** A result as a report shows it: what a target sends without measure is cut before anything else is done with it. */
export const cutResult = (result: CheckResult): CheckResult => ({
  ...result,
  message: cut(result.message, MAX_HEADER),
  ...('expected' in result ? { expected: cutValue(result.expected) } : {}),
  ...('actual' in result ? { actual: cutValue(result.actual) } : {}),
  exchanges: result.exchanges.map(cutExchange),
});

function cutExchange({ request, response, ...rest }: Exchange): Exchange {
  return {
    ...rest,
    request: {
      ...request,
      headers: cutHeaders(request.headers),
      ...(request.body === undefined ? {} : { body: cut(request.body, MAX_VALUE) }),
    },
    ...(response
      ? { response: { ...response, headers: cutHeaders(response.headers), body: cut(response.body, MAX_BODY) } }
      : {}),
  };
}

const cutHeaders = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, cut(value, MAX_HEADER)]));

function cutValue(value: unknown): unknown {
  if (typeof value === 'string') return cut(value, MAX_VALUE);
  const { length } = JSON.stringify(value) ?? '';
  return length > MAX_VALUE ? `(${length} characters of JSON, too long for a report)` : value;
}

/** The start of a text that is longer, with how much is missing; a text that was cut stays as it is. */
function cut(text: string, max: number): string {
  if (text.length <= max || CUT.test(text.slice(-40))) return text;
  return `${text.slice(0, max)}… (${text.length - max} more characters)`;
}

/** Quotes a word for a POSIX shell. */
function quote(word: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The curl line that sends a request again. Secrets in it are marks by the time a report shows it. */
export function toCurl({ method, url, headers, body }: RecordedRequest, isFollowed = false): string {
  const words = ['curl', isFollowed ? '-iL' : '-i', ...(method === 'GET' ? [] : ['-X', method])];
  for (const [name, value] of Object.entries(headers)) words.push('-H', quote(`${name}: ${value}`));
  if (body !== undefined) words.push('--data-raw', quote(body));
  words.push(quote(url));
  return words.join(' ');
}
