import { isRecording, READ_ONLY_FIELDS, UNFINISHED, WRITABLE_FIELDS } from '../api/records.ts';
import { type Entry, isOk, isRefused, jsonIn, type Log, overlap, sentObject } from '../log/entry.ts';
import { describe } from '../values/answer.ts';
import { type JsonObject, show } from '../values/json.ts';
import { describeSent, isUpdate } from './documented.ts';
import { holdsField, sameValue } from './field-rules.ts';
import { isAccepted, unnamedIn } from './made-up.ts';
import { isPredictable } from './predictable.ts';
import { type Judgement, of, open, type Rule, shown, violated } from './rule.ts';

/**
 * What the updates of each recording say together. Only what the document fixes counts: titles are stored, fields that are
 * not sent stay, and no update writes what is not writable (parts 2 and 4.2).
 */

/** The updates of each recording, in the order in which they were sent. */
function histories(log: Log): Entry[][] {
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
function recordOf(entry: Entry): JsonObject | undefined {
  const record = jsonIn(entry);
  return isOk(entry) && isRecording(record) ? record : undefined;
}

const fieldsSent = (entry: Entry): string => Object.keys(sentObject(entry)).toSorted().join(', ');
const isGenuine = ({ credential }: Entry): boolean => credential.flaw === undefined;

/** A look at a title that is not the one that was written last. */
interface Mismatch {
  written?: Entry;
  expected: readonly unknown[];
  look: Entry;
  /** The title before that write. */
  before: unknown;
  /** An earlier look found the title: so this update changed it, or somebody else did. */
  wasSeen: boolean;
}

interface TitleHistory {
  kept: { written: Entry | undefined; look: Entry }[];
  lost: Mismatch[];
  /** Titles that a refused update sent, and that the next look showed all the same. */
  writtenByRefused: { refused: Entry; look: Entry; before: unknown }[];
  notWritten: { refused: Entry; look: Entry }[];
}

/** What became of each title: a look is a success that sends none. A mismatch counts unless a later look shows the title. */
function titlesOf(entries: readonly Entry[]): TitleHistory {
  const history: TitleHistory = { kept: [], lost: [], writtenByRefused: [], notWritten: [] };
  let expected: unknown[] | undefined;
  let written: Entry | undefined;
  let before: unknown;
  let pending: Mismatch | undefined;
  let isSeen = false;
  let refused: Entry[] = [];
  const writes = entries.filter((entry) => 'title' in sentObject(entry));
  const settle = (): void => {
    if (pending) history.lost.push(pending);
    pending = undefined;
  };
  for (const entry of entries) {
    const sent = sentObject(entry);
    const record = recordOf(entry);
    const title = record?.title;
    if ('title' in sent) {
      if (!isOk(entry)) {
        if (isRefused(entry) && typeof sent.title === 'string') refused.push(entry);
        // A server error leaves open what was written.
        else if (expected) expected = [...expected, sent.title];
        continue;
      }
      settle();
      const isRival = written !== undefined && overlap(written, entry) && expected !== undefined;
      const isKnown = typeof sent.title === 'string' && isPredictable(sent.title);
      const now =
        isKnown && title === sent.title ? [sent.title] : typeof title === 'string' ? [title, sent.title] : [sent.title];
      before = isRival ? before : expected?.[0];
      expected = isRival ? [...(expected ?? []), ...now] : now;
      written = entry;
      isSeen = false;
      refused = [];
      continue;
    }
    if (record === undefined || typeof title !== 'string') continue;
    // An update that was under way with a write may show either title.
    if (writes.some((write) => overlap(write, entry))) continue;
    const culprit = refused.find((each) => sentObject(each).title === title && !expected?.includes(title));
    if (culprit) {
      history.writtenByRefused.push({ refused: culprit, look: entry, before: expected?.[0] });
      expected = [title];
      written = undefined;
      pending = undefined;
    } else {
      for (const each of refused) history.notWritten.push({ refused: each, look: entry });
      if (!expected) {
        expected = [title];
        written = undefined;
        isSeen = true;
      } else if (expected.includes(title)) {
        history.kept.push({ written, look: entry });
        pending = undefined;
        isSeen = true;
        expected = [title];
      } else pending ??= { ...(written ? { written } : {}), expected, look: entry, before, wasSeen: isSeen };
    }
    refused = [];
  }
  settle();
  return history;
}

/** The kinds of updates, by their fields, that are known to change a title that they do not send, and to leave it alone. */
interface Kinds {
  changing: ReadonlySet<string>;
  keeping: ReadonlySet<string>;
}

function kindsIn(all: readonly TitleHistory[]): Kinds {
  // An empty title is kept by what empties it.
  const isTold = (look: Entry): boolean => recordOf(look)?.title !== '';
  const keeping = new Set(
    all.flatMap(({ kept }) => kept.filter(({ look }) => isTold(look)).map(({ look }) => fieldsSent(look))),
  );
  const lost = all.flatMap((each) => each.lost.filter(({ wasSeen }) => wasSeen).map(({ look }) => fieldsSent(look)));
  return { keeping, changing: new Set(lost.filter((kind) => !keeping.has(kind))) };
}

/** Whether a lost title is the fault of the update that looked, and not of the one that wrote. */
const isOfLook = ({ written, wasSeen, look }: Mismatch, { changing, keeping }: Kinds): boolean =>
  written === undefined || changing.has(fieldsSent(look)) || (wasSeen && !keeping.has(fieldsSent(look)));

/** Titles that the log shows to be lost at the update after they were written. */
const titleKept: Rule = {
  id: 'recording-title-kept',
  requirements: ['REC-23'],
  title: 'a written title is still there at the next update',
  judge(log) {
    const own = histories(log).map(titlesOf);
    const known = kindsIn(own);
    const kept = own.flatMap((each) => each.kept).filter(({ written }) => written !== undefined);
    const lost = own.flatMap((each) => each.lost).filter(({ written }) => written !== undefined);
    const judgements: Judgement[] = kept.map(({ written, look }) => shown(...(written ? [written] : []), look));
    for (const mismatch of lost) {
      const { written, expected, look, before } = mismatch;
      const title = recordOf(look)?.title;
      // Of a recording by others, only the very title that was there before is sure not to be written by somebody else.
      const isSure = !log.isPartial || title === before || (kept.length === 0 && lost.length > 1);
      if (!isSure || !written) {
        judgements.push(
          open('a title changed between two updates, which a client outside of the recording may have done'),
        );
        continue;
      }
      if (!log.isPartial && isOfLook(mismatch, known)) continue;
      judgements.push(
        violated(
          {
            message: `The title that ${describeSent(written)} wrote is not there any more at the next update.`,
            expected: expected.length === 1 ? expected[0] : expected,
            actual: title,
          },
          written,
          look,
        ),
      );
    }
    return judgements;
  },
};

/** Of a recording, whatever the service does with it meanwhile. */
const ALWAYS_KEPT = ['id', 'user_id', 'created_at'];
/** What processing may settle: kept only while the recording is completed. */
const KEPT_WHEN_COMPLETED = ['filename', 'diarization_enabled', 'method', 'quality', 'language'];

const othersKept: Rule = {
  id: 'recording-others-kept',
  requirements: ['REC-24'],
  title: 'fields that are not sent keep their values',
  judge(log) {
    const judgements: Judgement[] = [];
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
      judgements.push(
        violated(
          {
            message: elsewhere
              ? `The title that ${describeSent(elsewhere)} sent to another recording is now that of this one.`
              : `${describeSent(look)} changed the title, which it did not send.`,
            expected: expected.length === 1 ? expected[0] : expected,
            actual: title,
          },
          ...(written ? [written] : []),
          ...(elsewhere ? [elsewhere] : []),
          look,
        ),
      );
    }
    for (const entries of all) judgements.push(...keptFields(entries));
    return judgements;
  },
};

/** Compares each answer with the one before it, field by field; a value that was sent in between is another rule's finding. */
function keptFields(entries: readonly Entry[]): Judgement[] {
  const judgements: Judgement[] = [];
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
        judgements.push(
          violated(
            {
              related: field === 'id' ? ['REC-21'] : [READ_ONLY_FIELDS[field] ?? ''],
              message: `Between two updates that did not send it, ${field} changed; the second one is ${describeSent(entry)}.`,
              expected: { [field]: before[field] },
              actual: { [field]: record[field] },
            },
            last,
            entry,
          ),
        );
      if (changed.length === 0) judgements.push(shown(last, entry));
    }
    last = entry;
    sent = [...readOnlyIn(entry)];
  }
  return judgements;
}

const letters = (name: string): string => name.replace(/[^A-Za-z]/g, '').toLowerCase();
const READ_ONLY_BY_LETTERS = new Map(Object.keys(READ_ONLY_FIELDS).map((field) => [letters(field), field]));

/** The fields that an update sends and may not write, by the field that each means: `userId` is `user_id` in another spelling. */
function readOnlyIn(entry: Entry): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const [name, value] of Object.entries(sentObject(entry))) {
    const field = READ_ONLY_BY_LETTERS.get(letters(name));
    if (field !== undefined && !(name in WRITABLE_FIELDS)) found.set(field, value);
  }
  return found;
}

/** What became of a field that is not writable: the answer to the update that sent it, and the look after that. */
function readOnlyRule(field: string, requirement: string): Rule {
  return {
    id: `recording-${field.replaceAll('_', '-')}-read-only`,
    requirements: [requirement],
    title: `${field} sent along with an update is not written`,
    judge: (log) => histories(log).flatMap((entries) => judgeReadOnly(entries, field)),
  };
}

function judgeReadOnly(entries: readonly Entry[], field: string): Judgement[] {
  const judgements: Judgement[] = [];
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
        // Where the record has the value already, nothing shows; processing may make of it what was sent.
        if (!sameValue(field, before[field], value) && !(isUnfinished && field === 'status'))
          pending.push({ entry, value, before: before[field], last });
      }
      if (isRefused(entry) && Object.keys(sentObject(entry)).length > 0) judgements.push(shown(entry));
    }
    if (!record) continue;
    const own = pending.find(({ value, before: was }) => isWritten(field, record, value, was));
    if (own) {
      judgements.push(
        violated(
          {
            message: `${field}, sent in ${describeSent(own.entry)}, was written.`,
            expected: { [field]: own.before },
            actual: { [field]: record[field] },
          },
          own.last,
          ...(own.entry === entry ? [] : [own.entry]),
          entry,
        ),
      );
      pending = [];
    } else {
      const settled = pending.filter(
        ({ before: was }) => field === 'updated_at' || sameValue(field, record[field], was),
      );
      judgements.push(...settled.map((each) => shown(each.entry, entry)));
      // The answer to the update itself may still show what was there before.
      pending = pending.filter((each) => each.entry === entry);
    }
    last = entry;
  }
  return judgements;
}

/** Whether a record shows the value that was sent; null and other wrong types are written where the field became something else. */
function isWritten(field: string, record: JsonObject, value: unknown, before: unknown): boolean {
  const now = record[field];
  if (sameValue(field, now, before) && before !== undefined) return false;
  if (sameValue(field, now, value)) return true;
  // updated_at changes with every update; it must only not become what was sent.
  if (field === 'updated_at')
    return typeof value === 'string' && typeof now === 'string' && isLongAgo(now) && isLongAgo(value);
  // null and other wrong types are written as what the service makes of them.
  if (holdsField('Recording', field, value)) return false;
  const isFinished = !UNFINISHED.includes(record.status as string);
  return (ALWAYS_KEPT.includes(field) || (isFinished && field !== 'status')) && !sameValue(field, now, before);
}

/** The year in which the times are that the suite sends. */
const isLongAgo = (time: string): boolean => Number(time.slice(0, 4)) <= 2001;

const refusedChangesNothing: Rule = {
  id: 'refused-update-changes-nothing',
  requirements: ['AUT-11'],
  title: 'an update that is refused changes nothing',
  judge: (log) =>
    histories(log)
      .map(titlesOf)
      .flatMap(({ writtenByRefused, notWritten }) => [
        ...notWritten.map(({ refused, look }) => shown(refused, look)),
        ...writtenByRefused.map(({ refused, look, before }) =>
          violated(
            {
              message: `${describeSent(refused)} was refused with ${refused.answer.response.status}${refused.credential.flaw ? ` (${refused.credential.flaw.what})` : ''}, and its title was written all the same.`,
              expected: before ?? 'the title as before',
              actual: recordOf(look)?.title,
            },
            refused,
            look,
          ),
        ),
      ]),
};

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
        violated(
          {
            message: `${describeSent(entry)} changed the status.`,
            expected: recordOf(last)?.status,
            actual: recordOf(entry)?.status,
          },
          last,
          entry,
        ),
      ),
    ];
  },
};

/** Fields that no answer needs to carry (part 2): where one does, it carries what was written. */
const CARRIED = ['summary', 'kb_folder_id', 'kb_document_id', 'analysis'];

const carried: Rule = {
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
      for (const entry of entries) {
        const record = recordOf(entry);
        if (!record) {
          if (!isRefused(entry)) last.clear();
          continue;
        }
        if (entries.some((other) => overlap(other, entry))) {
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

const FIELD_REQUIREMENTS: Record<string, string> = {
  title: 'REC-01',
  kb_folder_id: 'REC-02',
  kb_document_id: 'REC-03',
  summary: 'REC-04',
  analysis: 'REC-05',
};

/** The rule that accepts an update of these fields: of one alone, of all five, or of some. */
function acceptRuleOf(fields: readonly string[]): string {
  if (fields.length === 1) return `recording-update-${(fields[0] ?? '').replaceAll('_', '-')}`;
  return fields.length === Object.keys(WRITABLE_FIELDS).length ? 'recording-update-all' : 'recording-update-some';
}

/** Limits of texts are not shown, so in traffic of others only everyday ones must be taken. */
const EVERYDAY: Record<string, RegExp> = {
  title: /^[\p{L}\p{N}\p{P} ]{3,50}$/u,
  summary: /^[\p{L}\p{N}\p{P} ]{20,200}$/u,
};

const isText = (part: string): boolean => ['title', 'summary', 'analysis'].includes(part);

/** Whether its texts are short and have characters that can be seen only: a service may fail to store others. */
const isPrintable = (entry: Entry): boolean =>
  Object.values(sentObject(entry)).every(
    (value) => typeof value !== 'string' || /^[\p{L}\p{M}\p{N}\p{P}\p{S} \n]{1,100}$/u.test(value),
  );

/** Whether nothing in an update may be refused: by the plan, else by its values. */
function isMild(entry: Entry, log: Log): boolean {
  if (entry.asked) return entry.asked.odd.length === 0;
  return Object.entries(sentObject(entry)).every(([field, value]) => {
    const everyday = EVERYDAY[field];
    return everyday ? everyday.test(String(value)) : isAccepted(log, field, value);
  });
}

function acceptRule(id: string, requirements: string[], title: string): Rule {
  return {
    id,
    requirements,
    title,
    judge(log) {
      const updates = of(log, 'recording').filter(
        (entry) => isGenuine(entry) && entry.hasRequestBody && isUpdate(entry) && entry.credential.kind !== 'masked',
      );
      return updates
        .filter((entry) => acceptRuleOf(Object.keys(sentObject(entry))) === id)
        .flatMap((entry) => judgeAccepted(entry, updates, log));
    },
  };
}

/** Whether an update was accepted; a refusal counts where the same caller may update the same recording otherwise. */
function judgeAccepted(entry: Entry, updates: readonly Entry[], log: Log): Judgement[] {
  if (isOk(entry)) return [shown(entry)];
  const { status } = entry.answer.response;
  if (status === 401 || status === 429) return [];
  const fields = fieldsSent(entry);
  // What is inside of an analysis or a text may be refused, but must not fail.
  const isFailure = status >= 500 && entry.asked !== undefined && isPrintable(entry) && entry.asked.odd.every(isText);
  if (!isMild(entry, log) && !isFailure)
    return [open(`an update of ${fields} was answered ${describe(entry.answer)}, and its values may be why`)];
  const isSame = (other: Entry): boolean =>
    other.resource === entry.resource && other.credential.token === entry.credential.token;
  const control = updates.findLast((other) => isOk(other) && isSame(other));
  const anyControl = control ?? updates.find((other) => isOk(other) && other.resource === entry.resource);
  if (status < 500 && [403, 404].includes(status) && !control) return [];
  if (log.isPartial && (!control || updates.some((other) => isOk(other) && fieldsSent(other) === fields))) return [];
  const unnamed = unnamedIn(entry, log);
  if (unnamed.length > 0 && !isFailure)
    return [
      open(
        `an update of ${fields} was answered ${describe(entry.answer)}: its values are made up, and may have to exist or to have a shape of their own; name good ones in ${unnamed.join(' and ')}`,
      ),
    ];
  if (!anyControl && status < 500 && [403, 404].includes(status)) return [];
  return [
    violated(
      {
        ...(isFailure && entry.asked?.odd.includes('analysis') ? { requirement: 'REC-05' } : {}),
        message: `${describeSent(entry)} ${isFailure ? 'fails' : 'is refused'}${anyControl ? ', and another update of the recording is accepted' : ''}.`,
        expected: 'a success (2xx)',
        actual: `${describe(entry.answer)}: ${show(entry.answer.response.body)}`,
      },
      ...(anyControl ? [anyControl] : []),
      entry,
    ),
  ];
}

const acceptRules: Rule[] = [
  ...Object.keys(WRITABLE_FIELDS).map((field) =>
    acceptRule(
      acceptRuleOf([field]),
      [FIELD_REQUIREMENTS[field] ?? '', ...(field === 'title' ? ['GEN-02'] : [])],
      `the update accepts ${field} alone${field === 'analysis' ? ', an object' : ''}`,
    ),
  ),
  acceptRule('recording-update-all', ['REC-06'], 'the update accepts all five fields together'),
  acceptRule('recording-update-some', ['REC-06'], 'the update accepts two, three and four of the five fields together'),
];

export const recordingRules: readonly Rule[] = [
  ...acceptRules,
  titleKept,
  othersKept,
  statusUntouched,
  carried,
  ...Object.entries(READ_ONLY_FIELDS).map(([field, requirement]) => readOnlyRule(field, requirement)),
  refusedChangesNothing,
];
