import type { Report, RequestCounts, SuiteScore } from '../model.ts';
import { escapeOf, mapJson, parseJson } from '../values/json.ts';

/** Characters that are invisible, or change the order of the text around them: a target could hide text with them. */
const INVISIBLE =
  /(?![\n\t])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/gu;

/** The text with each control, direction mark and lone surrogate written out as `\u{…}`, and line ends as `\n`. */
export const visible = (text: string): string =>
  text.replaceAll('\r\n', '\n').replace(INVISIBLE, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);

/** Text that commands neither a terminal nor a CI system: `::error::` at the start of a line, `##[error]` anywhere. */
export function printable(text: string): string {
  const lines = visible(text).split('\n');
  const isCommand = (line: string): boolean => line.trimStart().startsWith('::');
  const harmless = lines.map((line) => (isCommand(line) ? line.replace(':', '\\u{3a}') : line));
  return harmless.join('\n').replaceAll('##[', '##\\u{5b}');
}

export const printableJson = <T>(value: T): T =>
  mapJson(value, (leaf) => (typeof leaf === 'string' ? printable(leaf) : leaf), printable);

/** A value as indented JSON that commands nothing where it is printed, and is read as the same value. */
export const jsonText = (value: unknown): string =>
  `${JSON.stringify(value, null, 2).replace(INVISIBLE, escapeOf).replaceAll('##[', '#\\u0023[')}\n`;

/** At most `max` characters of the text, with a note of how much is missing; a text that was cut stays as it is. */
export function cut(text: string, max: number): string {
  if (text.length <= max || /… \(\d+ more characters\)$/.test(text.slice(-40))) return text;
  return `${text.slice(0, max)}… (${text.length - max} more characters)`;
}

/** Indents JSON as text: numbers, escapes and repeated members stay as they were sent, which parsing would not keep. */
function indent(json: string): string {
  let depth = 0;
  const line = (change: number): string => {
    depth += change;
    return `\n${'  '.repeat(depth)}`;
  };
  return json.replace(/"(?:[^"\\]|\\.)*"?|\{\s*\}|\[\s*\]|[[\]{},:]|\s+/g, (token) => {
    if (token === '{' || token === '[') return token + line(1);
    if (token === '}' || token === ']') return line(-1) + token;
    if (token === ',') return token + line(0);
    return token === ':' ? ': ' : token.trim();
  });
}

/** A body as a reader wants it: indented when it is JSON, as it is otherwise; at most `max` characters. */
export const showBody = (body: string, max = 4_000): string =>
  cut(visible(typeof parseJson(body) === 'object' ? indent(body) : body), max);

/** An expected or actual value: JSON, but a text that cannot be mistaken for other JSON is shown without quotes. */
export function showValue(value: unknown, max = 2_000): string {
  if (value === undefined) return '(nothing)';
  const isPhrase = typeof value === 'string' && value !== '' && value.trim() === value && visible(value) === value;
  if (isPhrase && !/[\n\t]|^\(nothing\)$/.test(value) && parseJson(value) === undefined) return cut(value, max);
  const json = JSON.stringify(value);
  return json.length > 60 ? showBody(json, max) : visible(json);
}

export const count = (number: number, noun: string, plural = `${noun}s`) => `${number} ${number === 1 ? noun : plural}`;

/** How many checks a run will report: a quick one leaves out those whose requirement another check shows. */
export const countChecks = ({ length }: readonly unknown[], isQuick = false): string =>
  `${isQuick ? 'up to ' : ''}${count(length, 'check')}`;

export const idsOf = (items: readonly { id: string }[]): string[] => items.map(({ id }) => id);

/** The verb for so many: `1 check writes`, `2 checks write`. */
export const agree = (number: number, one: string, many: string): string => (number === 1 ? one : many);

/** The first of some names, and how many more there are. */
export const listed = (names: readonly string[], max: number, separator = ' '): string =>
  [...names.slice(0, max), ...(names.length > max ? [`and ${names.length - max} more`] : [])].join(separator);

/** A word for a shell. */
export const quote = (word: string) =>
  /^[A-Za-z0-9_./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** What a run sent, and how much of the model that asked; empty where nothing was sent. */
export function sentIn({ requests, model }: Pick<Report, 'requests' | 'model'>): string {
  if (!requests) return '';
  const { total, writes, overlaps = 0 } = requests;
  const pairs = overlaps > 0 ? [`${count(overlaps, 'pair')} at the same time`] : [];
  const sent = `${count(total, 'request')} (${[count(writes, 'write'), ...pairs].join(', ')})`;
  return model ? `${sent}, ${model.asked} of ${model.values} values of the model` : sent;
}

export const repeatedIn = (requests: Pick<RequestCounts, 'trouble'> | undefined): number =>
  Object.values(requests?.trouble ?? {}).reduce((sum, times) => sum + times, 0);

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
    `and passes ${meta.metaFaultsConforming} of ${meta.metaFaults} servers that do not implement the API.`
  );
}
