import type { Report, RequestCounts, SuiteScore } from '../model.ts';
import { CUT } from './cut.ts';

/** How values, bodies and times are written in every report that people read. */

/** Nothing deeper than this is of use, and indentation would grow with the square of what a hostile target nests. */
const MAX_DEPTH = 40;

/** Characters that are invisible, or change the order of the text around them: a target could hide text with them. */
const INVISIBLE =
  /(?![\n\t])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/gu;

/** The text with each control, direction mark and lone surrogate written out as `\u{…}`, and line ends as `\n`. */
export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(INVISIBLE, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

/** At most `max` characters of the text, with a note of how much is missing. */
export function clip(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max)}\n… ${text.length - max} more characters, not shown here`;
}

/** Whether a text is JSON, or the start of some that was cut. */
function isJson(text: string): boolean {
  if (CUT.test(text)) return /^\s*[[{]/.test(text);
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * JSON with line ends and indentation, or on one line with spaces to break at. Works on the text: numbers, escapes and
 * repeated members stay as they were sent, which parsing and printing would not keep. Stops soon after `max` characters.
 */
function spaceJson(text: string, max: number, lines: boolean): string {
  let out = '';
  let depth = 0;
  const turn = (change: number): string => {
    depth += change;
    return lines ? `\n${'  '.repeat(Math.max(0, Math.min(depth, MAX_DEPTH)))}` : '';
  };
  const tokens = text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*(?:"|$)|\{\s*\}|\[\s*\]|[[\]{},:]|[^\s"[\]{},:]+/gs);
  for (const [token] of tokens) {
    if (out.length > max) break;
    if (token === '{' || token === '[') out += token + turn(1);
    else if (token === '}' || token === ']') out += turn(-1) + token;
    else if (token === ',') out += `,${lines ? turn(0) : ' '}`;
    else if (token === ':') out += ': ';
    else out += /^[[{]/.test(token) ? token.replace(/\s+/, '') : token;
  }
  return out;
}

/** A body as a reader wants it: indented when it is JSON, as it is otherwise; at most about `max` characters. */
export function showBody(body: string, max: number): string {
  if (!isJson(body)) return clip(visible(body), max);
  const ending = CUT.exec(body)?.[0] ?? '';
  const pretty = visible(spaceJson(body.slice(0, body.length - ending.length), max, true));
  if (pretty.length <= max) return pretty + ending;
  return `${pretty.slice(0, max)}\n… cut here; the whole has ${count(body.length, 'character')}`;
}

/**
 * An expected or actual value: JSON, but a string that cannot be mistaken for other JSON is shown without quotes, since most
 * are phrases ("a JSON array") or quote something themselves.
 */
export function showValue(value: unknown, max: number): string {
  if (value === undefined) return NOTHING;
  if (typeof value === 'string' && readsAsItself(value)) return clip(value, max);
  const json = JSON.stringify(value);
  return json.length <= MAX_ONE_LINE ? visible(spaceJson(json, max, false)) : showBody(json, max);
}

const NOTHING = '(nothing)';
/** A longer value gets several lines. */
const MAX_ONE_LINE = 60;

function readsAsItself(text: string): boolean {
  if (text.trim() !== text || text === '' || text === NOTHING || /[\n\t]/.test(text) || visible(text) !== text)
    return false;
  return !isJson(text);
}

/** `3 checks`, `1 check`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}

/** What a run sent, and how much of the model that asked; empty where nothing was sent. */
export function sentIn({ requests, model }: Pick<Report, 'requests' | 'model'>): string {
  if (!requests) return '';
  const { total, writes } = requests;
  return [
    `${count(total, 'request')} (${count(writes, 'write')})`,
    ...(model ? [`${model.asked} of ${model.values} values of the model`] : []),
  ].join(', ');
}

/** What requests met on their way, after which they were sent again; undefined where none met anything. */
export function troubleIn(requests: RequestCounts): { times: number; text: string } | undefined {
  const { total, trouble = {}, slowedTo } = requests;
  const met = Object.entries(trouble).map(([what, times], at) => {
    const are = `${at === 0 ? `of ${total} answers ` : ''}${agree(times, 'was', 'were')}`;
    return `${times} ${are} ${what === 'none' ? 'missing' : what}`;
  });
  const times = Object.values(trouble).reduce((sum, each) => sum + each, 0);
  const slowed = slowedTo
    ? ` Requests were sent further apart until that ended: set limits.requestsPerSecond: ${Math.floor(slowedTo)} in the target file.`
    : '';
  return times > 0
    ? {
        times,
        text: `${met.join(', ')}${met.length > 1 ? ',' : ''} and ${agree(times, 'was', 'were')} repeated.${slowed}`,
      }
    : undefined;
}

/** The verb for so many: `1 check writes`, `2 checks write`. */
export const agree = (number: number, one: string, many: string): string => (number === 1 ? one : many);

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

/** `section 4.1`; the file of a requirement that is not of the document. */
export const whereOf = (section: string): string => (/^(\d|[a-z]+$)/.test(section) ? `section ${section}` : section);

/** How far a verdict of this suite can be trusted, in one sentence: as it was measured for this version. */
export function scoreText({ faults, killed, killRate, variants, falseAlarms, ...meta }: SuiteScore): string {
  const percent = (Math.floor(killRate * 1000) / 10).toFixed(1).replace(/\.0$/, '');
  return (
    `The suite itself is measured: it catches ${killed} of ${faults} deliberate faults (${percent} %), ` +
    `raises ${count(falseAlarms, 'false alarm')} at ${variants} conforming variants, ` +
    `and finds ${meta.metaFaultsConforming} of ${meta.metaFaults} servers that do not implement the API to conform.`
  );
}
