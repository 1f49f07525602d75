import type { CheckResult, Exchange } from '../model.ts';

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

const cutExchange = ({ request, response, ...rest }: Exchange): Exchange => ({
  ...rest,
  request: cutMessage(request, MAX_VALUE),
  response: response && cutMessage(response, MAX_BODY),
});

function cutMessage<M extends { headers: Record<string, string>; body?: string }>(message: M, maxBody: number): M {
  const headers = Object.entries(message.headers).map(([name, value]) => [name, cut(value, MAX_HEADER)]);
  const body = message.body === undefined ? undefined : cut(message.body, maxBody);
  return { ...message, headers: Object.fromEntries(headers), body };
}

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
export function toCurl({ request: { method, url, headers, body }, followed }: Exchange): string {
  const words = ['curl', followed ? '-iL' : '-i', ...(method === 'GET' ? [] : ['-X', method])];
  for (const [name, value] of Object.entries(headers)) words.push('-H', quote(`${name}: ${value}`));
  if (body !== undefined) words.push('--data-raw', quote(body));
  words.push(quote(url));
  return words.join(' ');
}
