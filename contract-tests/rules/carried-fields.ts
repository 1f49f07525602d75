import { type Entry, isRefused, overlappingIn, sentObject } from '../log/entry.ts';
import type { JsonObject } from '../values/json.ts';
import { describeSent, isUpdate } from './documented.ts';
import { isPredictable } from './predictable.ts';
import { type Judgement, type Rule, shown, violated } from './rule.ts';
import { histories, recordOf } from './updates-in-order.ts';

/** Fields that an answer happens to carry (part 2). */

/** Fields that no answer needs to carry (part 2): where one does, it carries what was written. */
const CARRIED = ['summary', 'kb_folder_id', 'kb_document_id', 'analysis'];

export const carried: Rule = {
  id: 'recording-carried',
  requirements: ['REC-41'],
  title: 'where an answer carries summary, analysis or a knowledge-base field, it carries what was written last',
  isOptional: true,
  judge(log) {
    const judgements: Judgement[] = [];
    // A member that never shows what was written is another one of the same name.
    const ours = new Set<string>();
    /** Fields that an answer carried to an update that did not send them. */
    const remembered = new Set<string>();
    for (const entry of histories(log).flat())
      for (const field of CARRIED)
        if (
          isUpdate(entry) &&
          saysSomething(sentObject(entry)[field]) &&
          isCarried(sentObject(entry)[field], recordOf(entry)?.[field])
        )
          ours.add(field);
    for (const entries of histories(log)) {
      const last = new Map<string, { value: unknown; entry: Entry }>();
      const overlapping = overlappingIn(entries);
      for (const entry of entries) {
        const record = recordOf(entry);
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
          const isEchoed = !isSent && !saysSomething(record[field]) && !remembered.has(field);
          if (field in record && written && ours.has(field) && !isEchoed) {
            if (isCarried(written.value, record[field])) {
              judgements.push(shown(entry));
              if (!isSent && saysSomething(record[field])) remembered.add(field);
            } else
              judgements.push(
                violated(
                  {
                    message: `The answer to ${describeSent(entry)} carries another ${field} than was written.`,
                    expected: { [field]: written.value },
                    actual: { [field]: record[field] },
                  },
                  ...(written.entry === entry ? [] : [written.entry]),
                  entry,
                ),
              );
          }
          if (written) last.set(field, written);
          else if (field in record) last.set(field, { value: record[field], entry });
        }
      }
    }
    return judgements;
  },
};

/** Whether a value says something: an empty one may be shown as nothing. */
const saysSomething = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && JSON.stringify(value) !== '{}';

/** Whether a value is shown as it was written; an empty text may be stored as none, an analysis may have members added. */
function isCarried(written: unknown, now: unknown): boolean {
  if (written === '' || written === null) return now === '' || now === null || now === undefined;
  if (typeof written !== 'object') return written === now || (typeof written === 'string' && !isPredictable(written));
  if (Array.isArray(written))
    return Array.isArray(now) && now.length === written.length && written.every((each, at) => isCarried(each, now[at]));
  if (typeof now !== 'object' || now === null) return false;
  return Object.entries(written as object).every(([name, value]) =>
    value === null ? true : isCarried(value, (now as JsonObject)[name]),
  );
}
