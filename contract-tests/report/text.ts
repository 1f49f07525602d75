/** How values, bodies and times are written in every report that people read. */

/** Deeper than this nobody reads, and indentation would grow with the square of what a hostile target nests. */
const MAX_DEPTH = 40;

/** Characters that show nothing, or change the order of what stands around them: a target could hide text with them. */
const INVISIBLE =
  /(?![\n\t])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/gu;

/** The text with each control, direction mark and lone surrogate written out as `\u{…}`, and line ends as `\n`. */
export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(INVISIBLE, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

/** At most `max` characters of the text, with a note of how much is missing. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max)}\n… ${text.length - max} more characters; report.json has all of them`;
}

/**
 * JSON with line ends and indentation, at most about `max` characters of it. Works on the text: numbers, escapes and
 * repeated members stay as they were sent, which parsing and printing would not keep. Undefined when it is no JSON.
 */
export function indentJson(text: string, max = Number.POSITIVE_INFINITY): string | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  let out = '';
  let depth = 0;
  const newLine = (): string => `\n${'  '.repeat(Math.min(depth, MAX_DEPTH))}`;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[{]\s*[\]}]|[[\]{},:]|[^\s"[\]{},:]+/gs)) {
    if (out.length > max) break;
    if (token === '{' || token === '[') {
      depth += 1;
      out += token + newLine();
    } else if (token === '}' || token === ']') {
      depth -= 1;
      out += newLine() + token;
    } else if (token === ',') out += token + newLine();
    else if (token === ':') out += ': ';
    else out += token.startsWith('[') || token.startsWith('{') ? token.replace(/\s+/, '') : token;
  }
  return out;
}

/** A body as a reader wants it: indented when it is JSON, as it is otherwise; at most `max` characters. */
export function showBody(body: string, max: number): string {
  const pretty = indentJson(body, max);
  // The indented text ends early at `max`, so what is missing is counted in the body as it was sent.
  if (pretty !== undefined && pretty.length <= max) return visible(pretty);
  if (pretty === undefined) return visible(clip(body, max));
  return visible(`${pretty.slice(0, max)}\n… cut: the body has ${body.length} characters; report.json has all of them`);
}

/**
 * An expected or actual value: JSON, but a string that cannot be taken for other JSON stands without quotes, since most
 * are phrases ("a JSON array") or quote something themselves.
 */
export function showValue(value: unknown, max: number): string {
  if (value === undefined) return '(nothing)';
  if (typeof value === 'string' && readsAsItself(value)) return visible(clip(value, max));
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch {
    // A value nested beyond the stack, or one that no JSON can hold.
  }
  if (json === undefined) return clip(`(${typeof value}: it cannot be written as JSON)`, max);
  return json.length <= 60 ? visible(json) : showBody(json, max);
}

function readsAsItself(text: string): boolean {
  if (text.trim() !== text || text === '' || text === '(nothing)' || /[\n\t]/.test(text) || visible(text) !== text)
    return false;
  return indentJson(text) === undefined;
}

/** `3 checks`, `1 check`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}

/** Milliseconds as people say them: `84 ms`, `1.8 s`, `2 min 5 s`. */
export function showDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** An ISO time as `2026-11-21 00:27:15 UTC`; anything else as it is. */
export function showTime(iso: string): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return visible(iso);
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
