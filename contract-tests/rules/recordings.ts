import { CARRIED } from '../api/reading.ts';
import { READ_ONLY_FIELDS, readOnlyField, UNFINISHED, WRITABLE_FIELDS } from '../api/records.ts';
import { type Entry, isRefused, type Log, overlap, overlappingIn, sentObject } from '../log/entry.ts';
import type { JsonObject } from '../values/json.ts';
import { acceptRules } from './accepted-updates.ts';
import { describeSent, fieldsSent, isUpdate, recordOf } from './documented.ts';
import { holdsField, isPredictable, sameValue } from './fields.ts';
import { type Judged, type Judgement, open, perLog, type Rule, shown, violated } from './rule.ts';
import { histories, refusedChangesNothing, titleKept, titleOthersKept } from './titles.ts';

/**
 * What the updates of each recording say together. Only what the document fixes counts: titles are stored, fields that are
 * not sent stay, and no update writes what is not writable (parts 2 and 4.2).
 */

/** Of a recording, even if the service changes it meanwhile. */
const ALWAYS_KEPT = ['id', 'user_id', 'created_at'];
/** What processing may settle: kept only while the recording is completed. */
const KEPT_WHEN_COMPLETED = ['filename', 'diarization_enabled', 'method', 'quality', 'language'];

const isFinished = ({ status }: JsonObject): boolean => !UNFINISHED.includes(status as string);

/** The fields that an update sends and may not write, by the field that each means. */
const readOnlyIn = (entry: Entry): [field: string, value: unknown][] =>
  Object.entries(sentObject(entry)).flatMap(([name, value]) => {
    const field = name in WRITABLE_FIELDS ? undefined : readOnlyField(name);
    return field === undefined ? [] : [[field, value]];
  });

/** Two answers in a row that show a recording; the second request was sent after the first one was answered. */
interface Step {
  last: Entry;
  before: JsonObject;
  entry: Entry;
  record: JsonObject;
  /** What was sent, from the first one on, and is not writable. */
  sent: readonly [field: string, value: unknown][];
  /** How many updates of the recording came before it. */
  nth: number;
}

const stepsIn = perLog((log): Step[] =>
  histories(log).flatMap((entries) => {
    const looks = [...entries.keys()].filter((at) => recordOf(entries[at] as Entry));
    return looks.slice(1).flatMap((at, nth) => {
      const from = looks[nth] as number;
      const [last, entry] = [entries[from], entries[at]];
      const [before, record] = [last && recordOf(last), entry && recordOf(entry)];
      if (!last || !entry || !before || !record || overlap(last, entry)) return [];
      const sent = entries.slice(from, at + 1).flatMap(readOnlyIn);
      return [{ last, before, entry, record, sent, nth }];
    });
  }),
);

/** Compares each answer with the one before it, field by field; a value that was sent in between is another rule's finding. */
function judgeKept({ last, before, entry, record, sent }: Step): Judged {
  const texts = new Set(Object.values(sentObject(entry)));
  const isCompleted = before.status === 'completed' && record.status === 'completed';
  const isSent = (field: string): boolean =>
    sent.some(
      ([name, value]) =>
        name === field && (sameValue(field, value, record[field]) || !holdsField('Recording', field, value)),
    );
  const changed = [...ALWAYS_KEPT, ...KEPT_WHEN_COMPLETED].filter(
    (field) =>
      // Processing settles no field to what the update sent in another one.
      (isCompleted || ALWAYS_KEPT.includes(field) || texts.has(record[field])) &&
      !isSent(field) &&
      // A value of another format is another rule's finding.
      [before, record].every((each) => holdsField('Recording', field, each[field])) &&
      !sameValue(field, before[field], record[field]),
  );
  if (changed.length === 0) return shown(last, entry);
  return changed.map((field) => {
    const message = `Between two updates that did not send it, ${field} changed; the second one is ${describeSent(entry)}.`;
    const related = [field === 'id' ? 'REC-21' : (READ_ONLY_FIELDS[field] ?? '')];
    return { ...violated(message, { [field]: before[field] }, { [field]: record[field] }, last, entry), related };
  });
}

const othersKept: Rule = {
  id: 'recording-others-kept',
  requirements: ['REC-24'],
  title: 'fields that are not sent keep their values',
  judge: (log) => [...titleOthersKept(log), ...stepsIn(log).flatMap(judgeKept)],
};

const statusUntouched: Rule = {
  id: 'recording-status-untouched',
  requirements: ['REC-40'],
  title: 'no update changes the status',
  judge(log) {
    const steps = stepsIn(log).filter(
      ({ before, record, sent }) =>
        isFinished(before) && typeof record.status === 'string' && !sent.some(([field]) => field === 'status'),
    );
    const kept = steps.filter(({ before, record }) => before.status === record.status);
    const changes = steps.filter((step) => !kept.includes(step));
    const stays = kept.map(({ last, entry }) => shown(last, entry));
    if (changes.length === 0) return stays;
    // Transitions are not shown (part 3): the service may process a recording again at any time. An update of a kind that
    // left the status alone before or after has not changed it.
    const innocent = new Set(kept.map(({ entry }) => fieldsSent(entry)));
    const sure = changes.filter(({ entry }) => !innocent.has(fieldsSent(entry)));
    const isSure = log.isPartial
      ? changes.length > 1 && kept.length === 0
      : sure.length > 1 || (sure.length === 1 && changes.length === 1);
    const found = isSure ? sure[0] : undefined;
    if (!found)
      return [
        ...(log.isPartial ? stays : []),
        open('the status changed without an update that explains it: the service may process the recording by itself'),
      ];
    const { last, entry, before, record } = found;
    return [
      ...stays,
      violated(`${describeSent(entry)} changed the status.`, before.status, record.status, last, entry),
    ];
  },
};

/** What became of a field that is not writable: the answer to the update that sent it, and the look after that. */
const readOnlyRule = ([field, requirement]: [string, string]): Rule => ({
  id: `recording-${field.replaceAll('_', '-')}-read-only`,
  requirements: [requirement],
  title: `${field} sent along with an update is not written`,
  judge: (log) => histories(log).flatMap((entries) => entries.flatMap((_, at) => judgeReadOnly(entries, at, field))),
});

function judgeReadOnly(entries: readonly Entry[], at: number, field: string): Judged {
  const entry = entries[at] as Entry;
  const [, value] = readOnlyIn(entry).find(([name]) => name === field) ?? [];
  if (value === undefined || entry.credential.flaw) return [];
  const last = entries.slice(0, at).findLast(recordOf);
  const before = last && recordOf(last);
  const isRefusal: Judgement[] = isRefused(entry) ? [shown(entry)] : [];
  // Where the record has the value already, nothing shows; processing may arrive at the value sent.
  if (!last || !before || overlap(last, entry) || sameValue(field, before[field], value)) return isRefusal;
  if (field === 'status' && !isFinished(before)) return isRefusal;
  // The answer to the update itself may still show the former value.
  const looks = entries
    .slice(at)
    .filter(recordOf)
    .slice(0, recordOf(entry) ? 2 : 1);
  const look = looks.find((each) => isWritten(field, recordOf(each) ?? {}, value, before[field]));
  if (look) {
    const message = `${field}, sent in ${describeSent(entry)}, was written.`;
    const actual = { [field]: recordOf(look)?.[field] };
    return violated(message, { [field]: before[field] }, actual, ...new Set([last, entry, look]));
  }
  const settled = looks.filter(
    (each) => field === 'updated_at' || sameValue(field, recordOf(each)?.[field], before[field]),
  );
  return [...isRefusal, ...settled.map((each) => shown(entry, each))];
}

/** Whether a record shows the value that was sent. */
function isWritten(field: string, record: JsonObject, value: unknown, before: unknown): boolean {
  const now = record[field];
  if (sameValue(field, now, before) && before !== undefined) return false;
  if (sameValue(field, now, value)) return true;
  // updated_at changes with every update; it must only not become the value sent.
  if (field === 'updated_at') return [value, now].every(isLongAgo);
  // null and other wrong types are written as what the service makes of them.
  return (
    !holdsField('Recording', field, value) &&
    (ALWAYS_KEPT.includes(field) || (isFinished(record) && field !== 'status')) &&
    !sameValue(field, now, before)
  );
}

/** The year in which the times are that the suite sends. */
const isLongAgo = (time: unknown): boolean => typeof time === 'string' && Number(time.slice(0, 4)) <= 2001;

/** The updates of each recording, and what an operation that the target file names showed of it, in their order. */
function lives(log: Log): Entry[][] {
  const reads = log.entries.filter(({ stored }) => stored !== undefined);
  return histories(log).map((updates) => {
    const own = reads.filter(({ stored }) => stored?.recordingId === updates[0]?.resource);
    return [...updates, ...own].toSorted((a, b) => a.begin - b.begin);
  });
}

const carried: Rule = {
  id: 'recording-carried',
  requirements: ['REC-41'],
  title: 'summary, analysis and knowledge-base fields are what was written last, where an answer or `reads` shows them',
  *judge(log) {
    const all = lives(log);
    const reads = all.flat().flatMap(({ stored }) => stored ?? []);
    const missing = CARRIED.filter((field) => reads.every(({ fields }) => !(field in fields)));
    if (reads.length > 0 && missing.length > 0)
      yield open(
        `reads.recording shows no ${missing.join(', ')}: name the place in reads.recording.fields of the target file`,
      );
    // A member that never shows a written value is another one of the same name.
    const isOurs = (field: string) => (entry: Entry) => {
      const written = sentObject(entry)[field];
      if (entry.stored) return field in entry.stored.fields;
      return isUpdate(entry) && saysSomething(written) && isCarried(written, recordOf(entry)?.[field]);
    };
    for (const field of CARRIED) if (all.flat().some(isOurs(field))) yield* judgeCarried(all, field);
  },
};

function* judgeCarried(all: readonly Entry[][], field: string): Generator<Judgement> {
  // An answer may carry no more than what the update itself sent.
  let isRemembered = false;
  for (const entries of all) {
    const overlapping = overlappingIn(entries);
    let last: { value: unknown; by: Entry[] } | undefined;
    for (const [at, entry] of entries.entries()) {
      // Of several reads in a row, the last: the others may have come too early.
      if (entry.stored && entries[at + 1]?.stored) continue;
      const record = entry.stored?.fields ?? recordOf(entry);
      const isSent = field in sentObject(entry);
      if (overlapping.has(entry) || (record ? isSent && !isUpdate(entry) : !isRefused(entry))) last = undefined;
      else if (record) {
        const { value, by } = isSent
          ? { value: sentObject(entry)[field], by: [] }
          : (last ?? { value: undefined, by: [] });
        const now = record[field];
        const isTold = entry.stored || isSent || saysSomething(now) || isRemembered;
        if (field in record && (isSent || last) && isTold) {
          if (isCarried(value, now)) {
            yield shown(entry);
            isRemembered ||= !isSent && saysSomething(now);
          } else {
            const message = `${entry.stored ? 'The recording is shown with' : `The answer to ${describeSent(entry)} carries`} another ${field} than was written.`;
            yield violated(message, { [field]: value }, { [field]: now }, ...by, entry);
          }
        }
        if (isSent) last = { value, by: [entry] };
        else if (!last && field in record) last = { value: now, by: [entry] };
      }
    }
  }
}

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
  return Object.entries(written as object).every(
    ([name, value]) => value === null || isCarried(value, (now as JsonObject)[name]),
  );
}

export const recordingRules: readonly Rule[] = [
  ...acceptRules,
  titleKept,
  othersKept,
  statusUntouched,
  carried,
  ...Object.entries(READ_ONLY_FIELDS).map(readOnlyRule),
  refusedChangesNothing,
];
