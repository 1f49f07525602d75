import { isRecording } from '../api/records.ts';
import { type Entry, isOk, jsonIn, type Log, sentObject } from '../log/entry.ts';
import type { JsonObject } from '../values/json.ts';
import { markIn } from '../values/run-mark.ts';
import { of, perLog } from './rule.ts';

/** The updates of each recording in their order, and what each of them says of it (part 2). */

/** The title by which another run of the suite shows that it writes the same recordings; undefined where none does. */
export const titleOfOtherRun = perLog(({ entries }): string | undefined => {
  const own = new Set(entries.map((entry) => markIn(sentObject(entry).title)));
  const first = new Map<string | undefined, string>();
  for (const entry of entries) {
    const title = entry.operation === 'recording' ? recordOf(entry)?.title : undefined;
    if (typeof title !== 'string') continue;
    // The title that was there at first may be that of a run that was interrupted.
    if (!first.has(entry.resource)) first.set(entry.resource, title);
    if (title !== first.get(entry.resource) && markIn(title) !== undefined && !own.has(markIn(title))) return title;
  }
  return undefined;
});

/** The updates of each recording, in the order in which they were sent; none where another run writes the same. */
export function histories(log: Log): Entry[][] {
  if (titleOfOtherRun(log) !== undefined) return [];
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
