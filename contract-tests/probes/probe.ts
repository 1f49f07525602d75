import type { TargetField } from '../api/target-fields.ts';
import type { Session } from '../session/session.ts';
import { loadGaps } from '../spec-data.ts';
import { type Answer, describe, isSuccess, jsonOf } from '../values/answer.ts';
import { isObject, type JsonObject } from '../values/json.ts';

/** A probe as data: what it sends, whether that may write, what it needs of the target file. */
interface ProbeRow {
  gap: string;
  /** What it sends, in one line. */
  sends: string;
  /** Whether any of that may change something at the target; default false. */
  writes?: true;
  needs: readonly TargetField[];
  /** Whether it is observed again, with new requests, before an answer counts that is not the assumed one. */
  repeats?: true;
}

/** Observes a target's answer to one gap. */
export interface Probe extends ProbeRow {
  /** The answer as the ledger writes it. Throws Undetermined when it cannot tell. */
  observe(session: Session): Promise<unknown>;
}

/** The probe cannot tell the answer; the message says why. */
export class Undetermined extends Error {
  override name = 'Undetermined';
}

/** Values of a vocabulary that were seen, where nothing shows that they are all. */
export class AtLeast {
  constructor(
    readonly values: readonly string[],
    /** Where they were seen. */
    readonly seenIn: string,
  ) {}
}

/** A probe whose answer is the status of one request. */
export function statusProbe({ send, ...row }: ProbeRow & { send(session: Session): Promise<Answer> }): Probe {
  return { ...row, repeats: true, observe: async (session) => allowedStatus(row.gap, await send(session)) };
}

/** The one value of several observations. Throws Undetermined, naming them, when they differ or there is none. */
export function agreeing<T>(observations: readonly { what: string; value: T }[], nothing: string): T {
  const [first] = observations;
  if (!first) throw new Undetermined(nothing);
  if (observations.some(({ value }) => value !== first.value)) {
    throw new Undetermined(observations.map(({ what, value }) => `${what}: ${String(value)}`).join('; '));
  }
  return first.value;
}

/** The status of an answer, where it is one that the ledger allows for the gap. */
export function allowedStatus(gapId: string, answer: Answer): number {
  const gap = loadGaps().find(({ id }) => id === gapId);
  const allowed = (gap?.schema?.enum ?? []) as number[];
  if (allowed.includes(answer.response.status)) return answer.response.status;
  throw new Undetermined(`it was answered ${describe(answer)}, which is none of ${allowed.join(', ')}`);
}

/** The target answered in a way that the ledger does not know. */
export function unexpected(what: string, answer: Answer): Undetermined {
  return new Undetermined(`${what} was answered ${describe(answer)}`);
}

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
