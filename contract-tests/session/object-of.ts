import { blocked } from '../failure.ts';
import { type Answer, isSuccess, jsonOf } from '../values/answer.ts';
import { isObject, type JsonObject } from '../values/json.ts';

/** The answer as a JSON object, for checks that look inside; blocked by the check that judges the answer as a whole. */
export function objectOf(answer: Answer, by: string, subject: string): JsonObject {
  const json = jsonOf(answer);
  if (!isSuccess(answer)) throw blocked(by, `${subject} answered ${answer.response.status}`);
  if (!isObject(json)) throw blocked(by, `${subject} did not answer with a JSON object`);
  return json;
}
