import { READ_ONLY_FIELDS, UNFINISHED } from '../api/records.ts';
import { type Entry, isOk, overlap, sentObject } from '../log/entry.ts';
import { markIn } from '../values/run-mark.ts';
import { acceptRules } from './accepted-updates.ts';
import { carried } from './carried-fields.ts';
import { describeSent } from './documented.ts';
import { holdsField, sameValue } from './field-rules.ts';
import { readOnlyIn, readOnlyRule } from './read-only.ts';
import { type Judgement, of, open, type Rule, shown, violated } from './rule.ts';
import { histories, titlesOf } from './title-history.ts';
import { doubtOf, isOfLook, kindsIn, refusedChangesNothing, titleKept } from './titles.ts';
import { ALWAYS_KEPT, fieldsSent, recordOf } from './updates-in-order.ts';

/**
 * What the updates of each recording say together. Only what the document fixes counts: titles are stored, fields that are
 * not sent stay, and no update writes what is not writable (parts 2 and 4.2).
 */

/** What processing may settle: kept only while the recording is completed. */
const KEPT_WHEN_COMPLETED = ['filename', 'diarization_enabled', 'method', 'quality', 'language'];

const othersKept: Rule = {
  id: 'recording-others-kept',
  requirements: ['REC-24'],
  title: 'fields that are not sent keep their values',
  *judge(log) {
    const all = histories(log);
    const titles = all.map(titlesOf);
    const known = kindsIn(titles);
    for (const mismatch of titles.flatMap((each) => each.lost)) {
      const { expected, look, written } = mismatch;
      // Where no title is ever kept, it may be either.
      const isEither = known.keeping.size === 0 && written !== undefined;
      const title = recordOf(look)?.title;
      const elsewhere = of(log, 'recording').findLast(
        (entry) =>
          isOk(entry) && entry.resource !== look.resource && entry.n < look.n && sentObject(entry).title === title,
      );
      if (log.isPartial || !(elsewhere || isOfLook(mismatch, known) || isEither)) continue;
      // A title without a mark is sent by every run of the suite.
      const isOwn = elsewhere !== undefined && markIn(title) !== undefined;
      const isStrange = mismatch.isStrange || elsewhere !== undefined;
      const doubt = isOwn ? undefined : doubtOf({ ...mismatch, isStrange }, titles);
      yield doubt ??
        violated({
          message: elsewhere
            ? `The title that ${describeSent(elsewhere)} sent to another recording is now that of this one.`
            : `${describeSent(look)} changed the title, which it did not send.`,
          expected: expected.length === 1 ? expected[0] : expected,
          actual: title,
          by: [...(written ? [written] : []), ...(elsewhere ? [elsewhere] : []), look],
        });
    }
    for (const entries of all) yield* keptFields(entries);
  },
};

/** Compares each answer with the one before it, field by field; a value that was sent in between is another rule's finding. */
function* keptFields(entries: readonly Entry[]): Generator<Judgement> {
  let last: Entry | undefined;
  let sent: [string, unknown][] = [];
  for (const entry of entries) {
    sent.push(...readOnlyIn(entry));
    const record = recordOf(entry);
    if (!record) continue;
    const before = last && recordOf(last);
    if (last && before && !overlap(last, entry)) {
      const isCompleted = before.status === 'completed' && record.status === 'completed';
      const isSent = (field: string): boolean =>
        sent.some(
          ([name, value]) =>
            name === field && (sameValue(field, value, record[field]) || !holdsField('Recording', field, value)),
        );
      const texts = new Set(Object.values(sentObject(entry)));
      const changed = [...ALWAYS_KEPT, ...KEPT_WHEN_COMPLETED].filter(
        (field) =>
          // Processing settles no field to what the update sent in another one.
          (isCompleted || ALWAYS_KEPT.includes(field) || texts.has(record[field])) &&
          !isSent(field) &&
          // A value of another format is another rule's finding.
          holdsField('Recording', field, before[field]) &&
          holdsField('Recording', field, record[field]) &&
          !sameValue(field, before[field], record[field]),
      );
      for (const field of changed)
        yield violated({
          related: field === 'id' ? ['REC-21'] : [READ_ONLY_FIELDS[field] ?? ''],
          message: `Between two updates that did not send it, ${field} changed; the second one is ${describeSent(entry)}.`,
          expected: { [field]: before[field] },
          actual: { [field]: record[field] },
          by: [last, entry],
        });
      if (changed.length === 0) yield shown(last, entry);
    }
    last = entry;
    sent = [...readOnlyIn(entry)];
  }
}

const statusUntouched: Rule = {
  id: 'recording-status-untouched',
  requirements: ['REC-40'],
  title: 'no update changes the status',
  judge(log) {
    const judgements: Judgement[] = [];
    /** Each with how many updates of the recording came before it. */
    const changes: { last: Entry; entry: Entry; nth: number }[] = [];
    /** Kinds of updates, by their fields, after which a finished status was seen to stay. */
    const innocent = new Map<string, number>();
    for (const entries of histories(log)) {
      let last: Entry | undefined;
      let nth = 0;
      for (const entry of entries) {
        const record = recordOf(entry);
        if (!record) continue;
        nth += 1;
        const before = last && recordOf(last);
        const isJudged = last && before && !UNFINISHED.includes(before.status as string) && !overlap(last, entry);
        const isStatusSent = [last, entry].some((each) => each && readOnlyIn(each).has('status'));
        if (isJudged && last && !isStatusSent && typeof record.status === 'string') {
          if (record.status === before.status) {
            innocent.set(fieldsSent(entry), (innocent.get(fieldsSent(entry)) ?? 0) + 1);
            judgements.push(shown(last, entry));
          } else changes.push({ last, entry, nth });
        }
        last = entry;
      }
    }
    if (changes.length === 0) return judgements;
    // Transitions are not shown (part 3): the service may process a recording again at any time. An update of a kind that
    // left the status alone before and after has not changed it.
    const moving = changes.find(({ entry }) => (innocent.get(fieldsSent(entry)) ?? 0) > 0);
    const sure = changes.filter(({ entry }) => !innocent.has(fieldsSent(entry)));
    // What processing does by itself, it does not do at the same update of two recordings.
    const [repeated] = changes.filter(({ entry, nth }) =>
      changes.some(
        (other) =>
          other.nth === nth &&
          other.entry.resource !== entry.resource &&
          recordOf(other.entry)?.status === recordOf(entry)?.status,
      ),
    );
    const found = repeated && !log.isPartial ? repeated : sure[0];
    const isShown =
      (found !== undefined && found === repeated) ||
      ((log.isPartial ? changes.length > 1 && judgements.length === 0 : sure.length > 0) &&
        (!moving || sure.length > 1));
    if (!isShown)
      return [
        ...judgements.slice(0, log.isPartial ? undefined : 0),
        open(
          'the status changed without an update that explains it: the service may process the recording again by itself',
        ),
      ];
    return [
      ...judgements,
      ...(found ? [found] : []).map(({ last, entry }) =>
        violated({
          message: `${describeSent(entry)} changed the status.`,
          expected: recordOf(last)?.status,
          actual: recordOf(entry)?.status,
          by: [last, entry],
        }),
      ),
    ];
  },
};

export const recordingRules: readonly Rule[] = [
  ...acceptRules,
  titleKept,
  othersKept,
  statusUntouched,
  carried,
  ...Object.entries(READ_ONLY_FIELDS).map(([field, requirement]) => readOnlyRule(field, requirement)),
  refusedChangesNothing,
];
