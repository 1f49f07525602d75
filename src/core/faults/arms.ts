import { hasMember, memberOf, setMember } from '../../../contract-tests/values/json.ts';
import { faultTerms as termsDocument } from '../generated/data.js';
import { records } from '../generated/validators.js';
import { ConfigError } from '../spec/config-error.ts';
import { type ApiDocument, isObject, type JsonObject } from '../spec/document.ts';
import { jsonOrText, memberAt } from '../spec/json.ts';
import { findingsOf } from '../validation/refusal.ts';
import { faultTerms, recordOf, schemaAt } from '../validation/schemas.ts';
import type { FaultArm } from '../world/state.ts';
import type { Fault, Parameters } from './fault.ts';
import { checkFaultIds, faultOf } from './index.ts';

export const generalTerms = ['operation', 'request', 'times', 'every', 'probability'];
/** They say how the body is sent, which is not for a response to choose. */
const framing = ['content-length', 'transfer-encoding'];

/** Terms that count requests, of which a header has one. */
const counting = ['times', 'every'] as const;

/** Faults as options write them: `delay:ms=800;times=3`; throws ConfigError for unknown faults and unusable terms. */
export function armsFrom(written: readonly string[], isHeader = false): FaultArm[] {
  const read = written.map(readFault);
  checkFaultIds(read.map(({ id }) => id));
  const arms = new Map<string, FaultArm>();
  for (const { id, terms } of read) {
    const fault = faultOf(id) as Fault;
    const refuse = (problem: string): never => {
      throw new ConfigError([`the fault ${id}${problem}`]);
    };
    const counts = isHeader && counting.find((name) => name in terms);
    if (counts) refuse(`: ${counts} counts requests, and a header is for this one only`);
    const problems = problemsOf(fault, terms);
    if (problems.length > 0) refuse(`: ${problems.slice(0, 5).join('; ')}`);
    if (arms.has(id) && Object.keys(terms).length > 0) refuse(' is given twice; it can be armed once');
    arms.set(id, arms.get(id) ?? armOf(fault, terms));
  }
  return [...arms.values()];
}

/** The fault, armed with these terms, which are valid by spec/control.yaml and for this fault. */
export function armOf({ id }: Fault, terms: Parameters): FaultArm {
  const { times: left, operation, request, every, probability = 1, ...parameters } = terms;
  const given = Object.keys(parameters).length > 0 && { parameters };
  return { id, ...given, operation, request, left, every, probability } as FaultArm;
}

/** The terms that are not for this fault, though they are for another. */
export function termsAmiss({ id, parameters }: Fault, terms: Parameters) {
  const own = parameters.length > 0 ? `takes ${parameters.join(', ')}` : 'has no parameters';
  const known = [...parameters, ...generalTerms];
  const headers = Object.keys(isObject(terms.headers) ? terms.headers : {});
  return [
    ...Object.keys(terms)
      .filter((name) => !known.includes(name))
      .map((field) => ({ field, message: `is no parameter of ${id}, which ${own}`, allowed: known.join(', ') })),
    ...headers
      .filter((name) => framing.includes(name.toLowerCase()))
      .map((name) => ({ field: `headers.${name}`, message: 'is set by the mock, so that the response can be read' })),
  ];
}

/** All problems of terms that did not come through the control plane, in words. */
function problemsOf(fault: Fault, terms: Parameters): string[] {
  const validate = memberOf(records, recordOf(faultTerms));
  if (!validate) throw new Error(`spec/control.yaml has no schema ${faultTerms}`);
  const found = validate(terms) ? [] : findingsOf(validate.errors);
  if (found.length === 0) return termsAmiss(fault, terms).map(({ field, message }) => `${field} ${message}`);
  const known = [...fault.parameters, ...generalTerms].join(', ');
  return found.map(({ path, message, keyword }) => {
    const names = path.split('/').slice(1);
    const value = memberAt(terms, names);
    if (keyword === 'additionalProperties') return `${names.join('.')} is unknown; known are ${known}`;
    return `${names.join('.')} ${message}; found ${String(JSON.stringify(value)).slice(0, 100)}`;
  });
}

/** The schema of a term by its names, as far as the document has one. */
export const termSchema = (names: readonly string[]): JsonObject | undefined =>
  schemaAt({ $ref: `#/components/schemas/${faultTerms}` }, names, termsDocument as unknown as ApiDocument);

/** Reads `ID:NAME=VALUE;NAME=VALUE`, with `;` or `:` first. Quotes and brackets may hold any separator. Throws ConfigError for a bad or repeated term. */
export function readFault(text: string): { readonly id: string; readonly terms: Parameters } {
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
  const text = term.slice(at + 1).trim();
  const isText = termSchema(path)?.type === 'string' && !text.startsWith('"');
  const last = path.pop() ?? '';
  let place = terms;
  for (const name of path) {
    if (!hasMember(place, name)) setMember(place, name, {});
    place = memberOf(place, name) as Record<string, unknown>;
  }
  if (typeof place !== 'object' || hasMember(place, last)) refuse(`${term.slice(0, at).slice(0, 100)} is given twice`);
  setMember(place, last, isText ? text : jsonOrText(text));
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
