import { type CheckFailure, setUpError, violation } from '../failure.ts';
import { type Answer, describe, jsonOf } from '../wire/exchange.ts';
import { isJsonMediaType, show } from '../wire/json.ts';

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
  // What was accepted elsewhere is not what is wrong.
  const advice = proven && status === 401 ? 'The same credentials are accepted elsewhere.' : hint;
  return violation(
    `${subject} did not succeed: it answered ${status}. ${advice}`,
    'a success (2xx)',
    `${describe(answer)}: ${show(answer.response.body)}`,
  );
}
