import { CARRIED } from '../api/reading.ts';
import { type Entry, isRefused, type Log, overlappingIn, sentObject } from '../log/entry.ts';
import type { JsonObject } from '../values/json.ts';
import { describeSent, isUpdate } from './documented.ts';
import { isPredictable } from './predictable.ts';
import { open, type Rule, shown, violated } from './rule.ts';
import { histories } from './title-history.ts';
import { recordOf } from './updates-in-order.ts';

/** Fields that an answer happens to carry (part 2). */

/** The updates of each recording, and what an operation that the target file names showed of it, in their order. */
function lives(log: Log): Entry[][] {
  const reads = log.entries.filter(({ stored }) => stored !== undefined);
  return histories(log).map((updates) => {
    const own = reads.filter(({ stored }) => stored?.recordingId === updates[0]?.resource);
    return [...updates, ...own].toSorted((a, b) => a.begin - b.begin);
  });
}

/** The fields that an exchange shows of a recording; of several reads in a row, the last: the others may have come too early. */
function shownBy(entry: Entry, next: Entry | undefined): JsonObject | undefined {
  return entry.stored ? (next?.stored ? {} : entry.stored.fields) : recordOf(entry);
}

export const carried: Rule = {
  id: 'recording-carried',
  requirements: ['REC-41'],
  title: 'summary, analysis and knowledge-base fields are what was written last, where an answer or `reads` shows them',
  *judge(log) {
    // A member that never shows a written value is another one of the same name.
    const ours = new Set<string>();
    /** Fields that an answer carried to an update that did not send them. */
    const remembered = new Set<string>();
    const all = lives(log);
    for (const entry of all.flat())
      for (const field of CARRIED)
        if (
          entry.stored
            ? field in entry.stored.fields
            : isUpdate(entry) &&
              saysSomething(sentObject(entry)[field]) &&
              isCarried(sentObject(entry)[field], recordOf(entry)?.[field])
        )
          ours.add(field);
    const reads = all.flat().flatMap(({ stored }) => stored ?? []);
    const missing = reads.length > 0 ? CARRIED.filter((field) => reads.every(({ fields }) => !(field in fields))) : [];
    if (missing.length > 0)
      yield open(
        `reads.recording shows no ${missing.join(', ')}: name the place in reads.recording.fields of the target file`,
      );
    for (const entries of all) {
      const last = new Map<string, { value: unknown; entry: Entry }>();
      const overlapping = overlappingIn(entries);
      for (const [at, entry] of entries.entries()) {
        const record = shownBy(entry, entries[at + 1]);
        if (!record) {
          if (!isRefused(entry)) last.clear();
          continue;
        }
        if (overlapping.has(entry)) {
          last.clear();
          continue;
        }
        const sent = sentObject(entry);
        for (const field of CARRIED) {
          const isSent = field in sent && isUpdate(entry);
          if (field in sent && !isSent) {
            last.delete(field);
            continue;
          }
          const written = isSent ? { value: sent[field], entry } : last.get(field);
          // An answer may carry no more than what the update itself sent.
          const isEchoed = !entry.stored && !isSent && !saysSomething(record[field]) && !remembered.has(field);
          if (field in record && written && ours.has(field) && !isEchoed) {
            if (isCarried(written.value, record[field])) {
              yield shown(entry);
              if (!isSent && saysSomething(record[field])) remembered.add(field);
            } else
              yield violated({
                message: `${entry.stored ? 'The recording is shown with' : `The answer to ${describeSent(entry)} carries`} another ${field} than was written.`,
                expected: { [field]: written.value },
                actual: { [field]: record[field] },
                by: [...(written.entry === entry ? [] : [written.entry]), entry],
              });
          }
          if (written) last.set(field, written);
          else if (field in record) last.set(field, { value: record[field], entry });
        }
      }
    }
  },
};

/** Whether a value says something: an empty one may be shown as nothing. */
const saysSomething = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && JSON.stringify(value) !== '{}';

/** Whether a value is shown as it was written; an empty text may be stored as none, an analysis may have members added. */
export function isCarried(written: unknown, now: unknown): boolean {
  if (written === '' || written === null) return now === '' || now === null || now === undefined;
  if (typeof written !== 'object') return written === now || (typeof written === 'string' && !isPredictable(written));
  if (Array.isArray(written))
    return Array.isArray(now) && now.length === written.length && written.every((each, at) => isCarried(each, now[at]));
  if (typeof now !== 'object' || now === null) return false;
  return Object.entries(written as object).every(([name, value]) =>
    value === null ? true : isCarried(value, (now as JsonObject)[name]),
  );
}
