import { ConfigError } from '../spec/config-error.ts';
import { jsonOrText } from '../spec/json.ts';
import type { Parameters } from './fault.ts';
import { termSchema } from './terms.ts';

export interface WrittenFault {
  readonly id: string;
  readonly terms: Parameters;
}

/**
 * Reads `ID` or `ID:NAME=VALUE;NAME=VALUE`; a `;` may stand for the `:`. `headers.X-A=1` is a member of `headers`. A value in
 * double quotes, and what is in brackets, may contain any separator.
 * @throws ConfigError for a term without `=`, or given twice
 */
export function readFault(text: string): WrittenFault {
  const end = text.search(/[:;]/);
  const id = (end === -1 ? text : text.slice(0, end)).trim();
  const rest = end === -1 ? '' : text.slice(end + 1);
  const terms: Record<string, unknown> = {};
  for (const term of splitAt(rest, ';')) addTerm(terms, term, id);
  return { id, terms };
}

/** Splits a list of written faults at its commas. */
export const splitFaults = (text: string): string[] => splitAt(text, ',');

function addTerm(terms: Record<string, unknown>, term: string, id: string): void {
  const refuse = (problem: string): never => {
    throw new ConfigError([`the fault ${id.slice(0, 100)}: ${problem}`]);
  };
  const at = term.indexOf('=');
  const path = term.slice(0, Math.max(at, 0)).trim().split('.');
  if (at < 1 || !path.every((name) => /^[A-Za-z][^\s=]*$/.test(name)))
    refuse(`expected NAME=VALUE, as in ms=800; found ${term.slice(0, 100)}`);
  const value = valueIn(term.slice(at + 1).trim(), path);
  const last = path.pop() ?? '';
  let place = terms;
  for (const name of path) {
    place[name] ??= {};
    place = place[name] as Record<string, unknown>;
  }
  if (typeof place !== 'object' || last in place) refuse(`${term.slice(0, at).slice(0, 100)} is given twice`);
  place[last] = value;
}

/** A value by its schema: text where that wants one; else JSON, or text where it is none. */
function valueIn(text: string, path: readonly string[]): unknown {
  const { type } = termSchema(path) ?? {};
  if (type === 'string' && !text.startsWith('"')) return text;
  return jsonOrText(text);
}

/** Splits a text at a separator, but not within quotes and brackets; leaves out what is empty. */
function splitAt(text: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at <= text.length; at += 1) {
    const sign = text[at];
    if (isQuoted && sign === '\\') at += 1;
    else if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (sign === '{' || sign === '[')) depth += 1;
    else if (!isQuoted && (sign === '}' || sign === ']')) depth -= 1;
    if (sign === undefined || (sign === separator && !isQuoted && depth <= 0)) {
      parts.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  return parts.filter((part) => part !== '');
}
