import { parseJson } from './json.ts';
import type { Answer } from './request.ts';

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
