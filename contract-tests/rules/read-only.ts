import { readOnlyField, UNFINISHED, WRITABLE_FIELDS } from '../api/records.ts';
import { type Entry, isRefused, overlap, sentObject } from '../log/entry.ts';
import type { JsonObject } from '../values/json.ts';
import { describeSent } from './documented.ts';
import { holdsField, sameValue } from './field-rules.ts';
import { type Judgement, type Rule, shown, violated } from './rule.ts';
import { histories } from './title-history.ts';
import { ALWAYS_KEPT, isGenuine, recordOf } from './updates-in-order.ts';

/** Fields that no update writes (part 2). */

/** The fields that an update sends and may not write, by the field that each means. */
export function readOnlyIn(entry: Entry): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const [name, value] of Object.entries(sentObject(entry))) {
    const field = readOnlyField(name);
    if (field !== undefined && !(name in WRITABLE_FIELDS)) found.set(field, value);
  }
  return found;
}

/** What became of a field that is not writable: the answer to the update that sent it, and the look after that. */
export function readOnlyRule(field: string, requirement: string): Rule {
  return {
    id: `recording-${field.replaceAll('_', '-')}-read-only`,
    requirements: [requirement],
    title: `${field} sent along with an update is not written`,
    judge: (log) => histories(log).flatMap((entries) => [...judgeReadOnly(entries, field)]),
  };
}

function* judgeReadOnly(entries: readonly Entry[], field: string): Generator<Judgement> {
  let last: Entry | undefined;
  let pending: { entry: Entry; value: unknown; before: unknown; last: Entry }[] = [];
  for (const entry of entries) {
    const record = recordOf(entry);
    const before = last && recordOf(last);
    const sent = readOnlyIn(entry);
    if (sent.has(field) && isGenuine(entry)) {
      if (before && last && !overlap(last, entry)) {
        const value = sent.get(field);
        const isUnfinished = UNFINISHED.includes(before.status as string);
        // Where the record has the value already, nothing shows; processing may arrive at the value sent.
        if (!sameValue(field, before[field], value) && !(isUnfinished && field === 'status'))
          pending.push({ entry, value, before: before[field], last });
      }
      if (isRefused(entry) && Object.keys(sentObject(entry)).length > 0) yield shown(entry);
    }
    if (!record) continue;
    const own = pending.find(({ value, before: was }) => isWritten(field, record, value, was));
    if (own) {
      yield violated({
        message: `${field}, sent in ${describeSent(own.entry)}, was written.`,
        expected: { [field]: own.before },
        actual: { [field]: record[field] },
        by: [own.last, ...(own.entry === entry ? [] : [own.entry]), entry],
      });
      pending = [];
    } else {
      const settled = pending.filter(
        ({ before: was }) => field === 'updated_at' || sameValue(field, record[field], was),
      );
      yield* settled.map((each) => shown(each.entry, entry));
      // The answer to the update itself may still show the former value.
      pending = pending.filter((each) => each.entry === entry);
    }
    last = entry;
  }
}

/** Whether a record shows the value that was sent; null and other wrong types are written where the field became something else. */
function isWritten(field: string, record: JsonObject, value: unknown, before: unknown): boolean {
  const now = record[field];
  if (sameValue(field, now, before) && before !== undefined) return false;
  if (sameValue(field, now, value)) return true;
  // updated_at changes with every update; it must only not become the value sent.
  if (field === 'updated_at')
    return typeof value === 'string' && typeof now === 'string' && isLongAgo(now) && isLongAgo(value);
  // null and other wrong types are written as what the service makes of them.
  if (holdsField('Recording', field, value)) return false;
  const isFinished = !UNFINISHED.includes(record.status as string);
  return (ALWAYS_KEPT.includes(field) || (isFinished && field !== 'status')) && !sameValue(field, now, before);
}

/** The year in which the times are that the suite sends. */
const isLongAgo = (time: string): boolean => Number(time.slice(0, 4)) <= 2001;
