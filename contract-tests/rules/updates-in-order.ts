import { isRecording } from '../api/records.ts';
import { type Entry, isOk, jsonIn, sentObject } from '../log/entry.ts';
import type { JsonObject } from '../values/json.ts';

/** What an update says of its recording (part 2). */

/** The recording that an update answered; undefined where it answered none. */
export function recordOf(entry: Entry): JsonObject | undefined {
  const record = jsonIn(entry);
  return isOk(entry) && isRecording(record) ? record : undefined;
}

export const fieldsSent = (entry: Entry): string => Object.keys(sentObject(entry)).toSorted().join(', ');

export const isGenuine = ({ credential }: Entry): boolean => credential.flaw === undefined;

/** Of a recording, even if the service changes it meanwhile. */
export const ALWAYS_KEPT = ['id', 'user_id', 'created_at'];
