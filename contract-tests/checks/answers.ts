import { blocked, type CheckFailure, setUpError, violation } from '../failure.ts';
import type { Answer } from '../target/request.ts';
import { isJsonMediaType, isObject, type JsonObject, parseJson, show } from './formats.ts';

/** "Success response" of part 4: the document names no code, so any 2xx is one. */
export function isSuccess(answer: Pick<Answer, 'response'>): boolean {
  return answer.response.status >= 200 && answer.response.status < 300;
}

/** `200 application/json`, for messages. */
export function describe(answer: Answer): string {
  const type = answer.response.headers['content-type'];
  return type ? `${answer.response.status} ${type}` : String(answer.response.status);
}

/** The response's body as JSON, whatever its media type says; undefined when it is none. */
export function jsonOf(answer: Answer): unknown {
  return parseJson(answer.response.body);
}

/** Throws unless a success is JSON and says so in its media type (preamble of the document). */
export function assertJson(answer: Answer, subject: string): void {
  const type = answer.response.headers['content-type'];
  if (jsonOf(answer) === undefined) {
    throw violation(
      `${subject} answered a body that is not JSON.`,
      'a JSON body',
      `${describe(answer)}: ${show(answer.response.body)}`,
    ).seenIn(answer);
  }
  if (!isJsonMediaType(type)) {
    throw violation(
      `${subject} answered JSON under another media type.`,
      'Content-Type: application/json',
      type ?? 'no Content-Type',
    ).seenIn(answer);
  }
}

/** A member of an answer that must have a type; throws the violation otherwise. */
export function assertField(
  subject: string,
  record: JsonObject,
  field: string,
  expected: string,
  holds: (value: unknown) => boolean,
): void {
  const value = record[field];
  if (!holds(value)) {
    const problem = Object.hasOwn(record, field) ? `has ${field} ${show(value)}` : `has no ${field}`;
    throw violation(`${subject} ${problem}.`, `${field}: ${expected}`, value);
  }
}

/**
 * What it means that a documented request of a caller who may make it did not succeed. `proven`: the same credentials
 * were accepted elsewhere. Refused credentials may be the target file's fault, everything else is the target's.
 */
export function notSuccessful(answer: Answer, subject: string, hint: string, proven: boolean): CheckFailure {
  return failureOf(answer, subject, hint, proven).seenIn(answer);
}

function failureOf(answer: Answer, subject: string, hint: string, proven: boolean): CheckFailure {
  const { status, headers } = answer.response;
  if (status >= 300 && status < 400) {
    return setUpError(
      `${subject} was redirected to ${headers.location ?? 'nowhere'}; redirects are not followed. Set baseUrl to where the API is.`,
      describe(answer),
    );
  }
  if (status === 429)
    return setUpError(`${subject} was still limited after waiting; lower limits.requestsPerSecond.`, describe(answer));
  if ((status === 401 && !proven) || status === 403)
    return setUpError(`${subject} was refused with ${status}. ${hint}`, describe(answer));
  return violation(
    `${subject} did not succeed: it answered ${status}. ${hint}`,
    'a success (2xx)',
    `${describe(answer)}: ${show(answer.response.body)}`,
  );
}

/** The answer as a JSON object, for checks that look inside; blocked by the check that judges the answer as a whole. */
export function objectOf(answer: Answer, by: string, subject: string): JsonObject {
  const json = jsonOf(answer);
  if (!isSuccess(answer) || !isObject(json)) throw blocked(by, `${subject} did not answer with a JSON object`);
  return json;
}
