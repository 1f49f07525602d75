import { isRecording } from '../api/records.ts';
import { type Entry, isOk, jsonIn, type Log, sentObject } from '../log/entry.ts';
import type { JsonObject } from '../values/json.ts';
import { of } from './rule.ts';

/** The updates of each recording in their order, and what each of them says of it (part 2). */

/** The updates of each recording, in the order in which they were sent. */
export function histories(log: Log): Entry[][] {
  const byRecording = new Map<string, Entry[]>();
  for (const entry of of(log, 'recording')) {
    if (entry.resource === undefined || !entry.hasBody || !entry.hasRequestBody) continue;
    const own = byRecording.get(entry.resource) ?? [];
    byRecording.set(entry.resource, own);
    own.push(entry);
  }
  return [...byRecording.values()].map((entries) => entries.toSorted((a, b) => a.begin - b.begin));
}

/** The recording that an update answered; undefined where it answered none. */
export function recordOf(entry: Entry): JsonObject | undefined {
  const record = jsonIn(entry);
  return isOk(entry) && isRecording(record) ? record : undefined;
}

export const fieldsSent = (entry: Entry): string => Object.keys(sentObject(entry)).toSorted().join(', ');

export const isGenuine = ({ credential }: Entry): boolean => credential.flaw === undefined;

/** Of a recording, even if the service changes it meanwhile. */
export const ALWAYS_KEPT = ['id', 'user_id', 'created_at'];
