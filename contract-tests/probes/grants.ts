import { isSuccess, jsonOf } from '../wire/answers.ts';
import { findStrings, isObject, type JsonObject } from '../wire/json.ts';
import type { Answer } from '../wire/request.ts';
import { unexpected } from './probe.ts';

/** The JSON object of a success; undetermined otherwise. */
export function objectIn(what: string, answer: Answer): JsonObject {
  const json = jsonOf(answer);
  if (!isSuccess(answer) || !isObject(json)) throw unexpected(what, answer);
  return json;
}

/** Whether the object has all of the members. */
export function hasAll(object: JsonObject, members: readonly string[]): boolean {
  return members.every((member) => object[member] !== undefined);
}

/** Whether the object has any of the members. */
export function hasAny(object: JsonObject, members: readonly string[]): boolean {
  return members.some((member) => object[member] !== undefined);
}

/** The refresh token in an answer, whatever its shape: by the name of the member. */
export function refreshTokenIn(answer: Answer): string | undefined {
  return findStrings(jsonOf(answer)).find(({ path }) => path.some((name) => /refresh/i.test(name)))?.value;
}
