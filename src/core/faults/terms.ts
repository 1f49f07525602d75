import { faultTerms as termsDocument } from '../generated/data.js';
import { records } from '../generated/validators.js';
import type { ApiDocument, JsonObject } from '../spec/document.ts';
import { isObject } from '../spec/document.ts';
import { findingsOf } from '../validation/refusal.ts';
import { faultTerms, recordOf, schemaAt, valueAt } from '../validation/schemas.ts';
import type { FaultArm } from '../world/fault-arms.ts';
import type { Fault, Parameters } from './fault.ts';

export const generalTerms = ['operation', 'request', 'times', 'every', 'probability'];
/** They say how the body is sent, which is not for a response to choose. */
const framing = ['content-length', 'transfer-encoding'];

/** The fault, armed with these terms, which are valid by spec/control.yaml and for this fault. */
export function armOf({ id }: Fault, terms: Parameters): FaultArm {
  const { times: left, operation, request, every, probability = 1, ...parameters } = terms;
  const given = Object.keys(parameters).length > 0 && { parameters };
  return { id, ...given, operation, request, left, every, probability } as FaultArm;
}

/** The terms that are not for this fault, though they are for another. */
export function termsAmiss(
  { id, parameters }: Fault,
  terms: Parameters,
): { field: string; message: string; allowed?: string }[] {
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
export function problemsOf(fault: Fault, terms: Parameters): string[] {
  const validate = records[recordOf(faultTerms)];
  if (!validate) throw new Error(`spec/control.yaml has no schema ${faultTerms}`);
  const found = validate(terms) ? [] : findingsOf(validate.errors);
  if (found.length === 0) return termsAmiss(fault, terms).map(({ field, message }) => `${field} ${message}`);
  const known = [...fault.parameters, ...generalTerms].join(', ');
  return found.map(({ path, message, keyword }) => {
    const names = path.split('/').slice(1);
    const value = valueAt(terms, names);
    if (keyword === 'additionalProperties') return `${names.join('.')} is unknown; known are ${known}`;
    return `${names.join('.')} ${message}; found ${String(JSON.stringify(value)).slice(0, 100)}`;
  });
}

/** The schema of a term by its names, as far as the document has one. */
export const termSchema = (names: readonly string[]): JsonObject | undefined =>
  schemaAt({ $ref: `#/components/schemas/${faultTerms}` }, names, termsDocument as unknown as ApiDocument);
