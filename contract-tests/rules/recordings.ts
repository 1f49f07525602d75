import { CARRIED } from '../api/reading.ts';
import { READ_ONLY_FIELDS, readOnlyField, UNFINISHED, WRITABLE_FIELDS } from '../api/records.ts';
import { type Entry, isOk, isRefused, type Log, overlap, overlappingIn, sentObject, statusOf } from '../log/entry.ts';
import { describe } from '../values/answer.ts';
import { asText, canonical, hasMember, isEqual, isObject, type JsonObject, memberOf } from '../values/json.ts';
import { once } from '../values/once.ts';
import { describeSent, fieldsSent, hasParameters, isUpdate, recordOf } from './documented.ts';
import { holdsField, isPredictable, sameValue } from './fields.ts';
import { isOdd, type Judge, type Judged, type Judgement, of, open, refused, rulesOf, shown, violated } from './rule.ts';
import { histories, leftByOtherRuns, refusedChangesNothing, titleKept, titleOthersKept } from './titles.ts';

/** Which updates must be accepted: of each field alone, of all, and of some together (4.2). */

/** Members of `resources` that name valid values of fields that a service may look up or validate (4.2 says neither). */
const NAMED: Readonly<Record<string, string>> = {
  kb_folder_id: 'kbFolderId',
  kb_document_id: 'kbDocumentId',
  analysis: 'analysis',
};

const FIELDS = Object.keys(WRITABLE_FIELDS);

const keyOf = ([field, value]: readonly [string, unknown]): string => `${field} ${JSON.stringify(value)}`;

const acceptedIn = once((log: Log): ReadonlySet<string> => {
  const updates = of(log, 'recording').filter((entry) => isOk(entry) && entry.hasRequestBody);
  return new Set(updates.flatMap((entry) => Object.entries(sentObject(entry)).map(keyOf)));
});

/** The members of `resources` that would tell values to be good which an update made up, and which were accepted nowhere. */
export const unnamedIn = (entry: Entry, log: Log): string[] =>
  Object.entries(sentObject(entry)).flatMap(([field, value]) => {
    const name = memberOf(NAMED, field) ?? '';
    const isGood =
      acceptedIn(log).has(keyOf([field, value])) || canonical(memberOf(log.resources, name)) === canonical(value);
    return name === '' || isGood ? [] : [`resources.${name}`];
  });

/** Limits of texts are not shown, so in traffic of others only everyday ones must be taken. */
const EVERYDAY: Record<string, RegExp> = {
  title: /^[\p{L}\p{N}\p{P} ]{3,50}$/u,
  summary: /^[\p{L}\p{N}\p{P} ]{20,200}$/u,
};

/** Whether nothing in an update may be refused: by the plan, else by its values. */
function isMildUpdate(entry: Entry, log: Log): boolean {
  const isUsual = ([field, value]: [string, unknown]): boolean =>
    memberOf(EVERYDAY, field)?.test(asText(value)) ?? acceptedIn(log).has(keyOf([field, value]));
  return entry.asked ? !isOdd(entry) : Object.entries(sentObject(entry)).every(isUsual);
}

/** Short texts whose characters can all be seen: a service may fail to store others. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} \n]{0,100}$/u;

/** Whether a service fails on an update that it may refuse, but must not fail on. 501: it knows no chunks (RFC 9112, 6.1). */
const isFailure = (entry: Entry): boolean =>
  statusOf(entry) >= 500 &&
  statusOf(entry) !== 501 &&
  entry.asked?.odd.every((part) => ['title', 'summary', 'analysis', 'framing'].includes(part)) === true &&
  Object.values(sentObject(entry)).every((value) => typeof value !== 'string' || PRINTABLE.test(value));

const hasEscapes = ({ answer }: Entry): boolean => /\\(u[\da-f]{4}|\/)/i.test(answer.request.body ?? '');

/** Whether the same user sends the same values afterwards, one time with escapes of JSON and one time without. */
const isRespelled = (entry: Entry, other: Entry): boolean =>
  entry.n < other.n &&
  entry.credential.who === other.credential.who &&
  hasEscapes(entry) !== hasEscapes(other) &&
  entry.answer.request.body !== other.answer.request.body &&
  canonical(sentObject(entry)) === canonical(sentObject(other));

/** Whether an update was accepted; a refusal counts where the same caller may update the same recording otherwise. */
function judgeAccepted(entry: Entry, updates: readonly Entry[], log: Log): Judged {
  if (isOk(entry)) return shown(entry);
  const status = statusOf(entry);
  if (status === 401 || status === 429) return [];
  const fields = fieldsSent(entry);
  const fails = isFailure(entry);
  const what = `an update of ${fields} was answered ${describe(entry.answer)}`;
  const accepted = updates.filter((other) => isOk(other) && other.resource === entry.resource);
  const other = accepted.find((each) => isRespelled(entry, each));
  // 409: the update before may have made its title one that is taken.
  if (other && ![403, 404, 409].includes(status) && !log.isPartial) {
    const how = hasEscapes(entry) ? 'without' : 'with';
    return refused(`${describeSent(entry)} is refused, and the same ${how} \\u and \\/ is accepted.`, entry, other);
  }
  if (!isMildUpdate(entry, log) && !fails) return open(`${what}, and its values may be why`);
  const own = accepted.findLast(({ credential }) => credential.token === entry.credential.token);
  const control = own ?? accepted[0];
  if ([403, 404].includes(status) && !own) return [];
  // The target file does not promise updates of the other recording: its state may rule them out.
  if (!control && !fails && entry.resource === log.resources?.otherRecordingId) return [];
  if (log.isPartial && (!own || updates.some((other) => isOk(other) && fieldsSent(other) === fields))) return [];
  if (status === 415 && hasParameters(entry)) return open(`${what}: its media type has a parameter`);
  const unnamed = unnamedIn(entry, log);
  if (unnamed.length > 0 && !fails)
    return open(
      `${what}: its values are made up, and may have to exist or to have a shape of their own; name good ones in ${unnamed.join(' and ')}`,
    );
  const message = `${describeSent(entry)} ${fails ? 'fails' : 'is refused'}${control ? ', and another update of the recording is accepted' : ''}.`;
  const requirement = fails && entry.asked?.odd.includes('analysis') ? 'REC-05' : undefined;
  return { ...refused(message, entry, control), requirement };
}

const accepts =
  (isOf: (fields: readonly string[]) => boolean): Judge =>
  (log) => {
    const isKnown = ({ credential, hasRequestBody }: Entry): boolean =>
      !credential.flaw && credential.kind !== 'masked' && hasRequestBody;
    const updates = of(log, 'recording').filter((entry) => isKnown(entry) && isUpdate(entry));
    const own = updates.filter((entry) => isOf(Object.keys(sentObject(entry))));
    return own.flatMap((entry) => judgeAccepted(entry, updates, log));
  };

const acceptsAlone = (field: string): Judge => accepts((sent) => sent.join() === field);

/** What a recording keeps even if the service changes it meanwhile (parts 2 and 4.2). */
const ALWAYS_KEPT = ['id', 'user_id', 'created_at'];
/** What processing may settle: kept only while the recording is completed. */
const KEPT_WHEN_COMPLETED = ['filename', 'diarization_enabled', 'method', 'quality', 'language'];

const isFinished = ({ status }: JsonObject): boolean => !UNFINISHED.includes(status as string);

/** What an update sends and may not write, by the field that each name means: in the body, in its analysis, and in the query. */
function readOnlyIn(by: Entry) {
  const sent = sentObject(by);
  const analysis = isObject(sent.analysis) ? Object.entries(sent.analysis) : [];
  return [...Object.entries(sent), ...analysis, ...by.query].flatMap(([name, value]) => {
    const field = hasMember(WRITABLE_FIELDS, name) ? undefined : readOnlyField(name);
    return field === undefined ? [] : [{ field, value, by }];
  });
}

/** The kind of an update: its fields, and whether it empties one. */
const kindOf = (entry: Entry) => `${fieldsSent(entry)} ${Object.values(sentObject(entry)).every(saysSomething)}`;

/** Two answers in a row that show a recording; the second request was sent after the first one was answered. */
const stepsIn = once((log: Log) =>
  histories(log).flatMap((entries) => {
    const looks = entries.filter(recordOf);
    return looks.slice(1).flatMap((entry, at) => {
      const last = looks[at] as Entry;
      const [before = {}, record = {}] = [recordOf(last), recordOf(entry)];
      // From the first one on, whose answer may still show the former value.
      const sent = entries.slice(entries.indexOf(last), entries.indexOf(entry) + 1).flatMap(readOnlyIn);
      return overlap(last, entry) ? [] : [{ last, before, entry, record, sent }];
    });
  }),
);
type Step = ReturnType<typeof stepsIn>[number];

/** Compares each answer with the one before it, field by field; a value that was sent in between is another rule's finding. */
function judgeKept({ last, before, entry, record, sent }: Step): Judged {
  const isCompleted = before.status === 'completed' && record.status === 'completed';
  // A value of another format is another rule's finding.
  const holds = (field: string, ...values: unknown[]) => values.every((value) => holdsField('Recording', field, value));
  const isSent = (name: string): boolean =>
    sent.some(
      ({ field, value }) =>
        field === name && (sameValue(field, value, memberOf(record, field)) || !holds(field, value)),
    );
  // Processing does not find out what another field sends.
  const isTaken = (field: string): boolean => Object.values(sentObject(entry)).includes(memberOf(record, field));
  const kept = KEPT_WHEN_COMPLETED.filter((field) => isCompleted || isTaken(field));
  // Another id is the finding of `recording-addressed`.
  const changed = ['user_id', 'created_at', ...kept].filter((field) => {
    const [was, is] = [memberOf(before, field), memberOf(record, field)];
    return !isSent(field) && holds(field, was, is) && !sameValue(field, was, is);
  });
  if (changed.length === 0) return shown(last, entry);
  return changed.map((field) => {
    const message = `Between two updates that did not send it, ${field} changed; the second one is ${describeSent(entry)}.`;
    const [was, is] = [{ [field]: memberOf(before, field) }, { [field]: memberOf(record, field) }];
    return { ...violated(message, was, is, last, entry), field };
  });
}

function statusUntouched(log: Log): Judgement[] {
  const steps = stepsIn(log).filter(
    ({ before, record, sent }) =>
      isFinished(before) && typeof record.status === 'string' && !sent.some(({ field }) => field === 'status'),
  );
  const isKept = ({ before, record }: Step): boolean => before.status === record.status;
  const [kept, changes] = [steps.filter(isKept), steps.filter((step) => !isKept(step))];
  const stays = kept.map(({ last, entry }) => shown(last, entry));
  // Transitions are not shown (part 3): the service may process a recording again at any time. An update of a kind that
  // left the status alone before or after has not changed it.
  const innocent = new Set(kept.map(({ entry }) => kindOf(entry)));
  const sure = changes.filter(({ entry }) => !innocent.has(kindOf(entry)));
  // Where it changes after innocent ones again and again, the service does it, unless one field always ends in a status of its own.
  const statusesOf = (field: string, isSent: boolean) =>
    steps.filter(({ entry }) => hasMember(sentObject(entry), field) === isSent).map(({ record }) => record.status);
  const isTied = Object.keys(WRITABLE_FIELDS).some((field) => {
    const [status, ...same] = new Set(statusesOf(field, true));
    const others = statusesOf(field, false).filter((each) => each !== status);
    return same.length === 0 && others.length * 2 > statusesOf(field, false).length;
  });
  const isByItself = changes.length - sure.length > 1 && !isTied;
  const isOften = sure.length > 1 && !isByItself;
  const isSure = log.isPartial ? changes.length > 1 && kept.length === 0 : isOften || changes.length === 1;
  const [found] = sure;
  if (changes.length === 0) return stays;
  if (found && isSure) {
    const { last, entry, before, record } = found;
    const message = `${describeSent(entry)} changed the status.`;
    return [...stays, violated(message, before.status, record.status, last, entry)];
  }
  const reason =
    'the status changed without an update that explains it: the service may process the recording by itself';
  return [open(reason), ...(log.isPartial ? stays : [])];
}

/** What became of a field that is not writable: the answer to the update that sent it, and the look after that. */
const readOnly =
  (field: string): Judge =>
  (log) => [
    ...histories(log)
      .flat()
      .filter((entry) => isRefused(entry) && readOnlyIn(entry).some((each) => each.field === field))
      .map((entry) => shown(entry)),
    ...stepsIn(log).flatMap((step) => judgeReadOnly(step, field)),
  ];

function judgeReadOnly({ last, before, entry, record, sent }: Step, field: string): Judged {
  // Where the record has the value already, nothing shows; processing may arrive at the value sent.
  const own = sent.filter(
    (each) =>
      each.field === field && !each.by.credential.flaw && !sameValue(field, memberOf(before, field), each.value),
  );
  if (own.length === 0 || (field === 'status' && !isFinished(before))) return [];
  const written = own.find(({ value }) => isWritten(field, record, value, memberOf(before, field)));
  if (written) {
    const message = `${field}, sent in ${describeSent(written.by)}, was written.`;
    const by = new Set([last, written.by, entry]);
    return violated(message, { [field]: memberOf(before, field) }, { [field]: memberOf(record, field) }, ...by);
  }
  return field === 'updated_at' || sameValue(field, memberOf(record, field), memberOf(before, field))
    ? shown(last, entry)
    : [];
}

function isWritten(field: string, record: JsonObject, value: unknown, before: unknown): boolean {
  const now = memberOf(record, field);
  if (sameValue(field, now, before)) return false;
  if (sameValue(field, now, value)) return true;
  // updated_at changes with every update; it must only not become the value sent.
  if (field === 'updated_at') return [value, now].every(isLongAgo);
  // null and other wrong types are written as what the service makes of them.
  const isKept = ALWAYS_KEPT.includes(field) || (isFinished(record) && field !== 'status');
  return isKept && !holdsField('Recording', field, value);
}

/** The year in which the times are that the suite sends. */
const isLongAgo = (time: unknown): boolean => typeof time === 'string' && Number(time.slice(0, 4)) <= 2001;

function* carried(log: Log): Generator<Judgement> {
  const reads = log.entries.filter(({ stored }) => stored !== undefined);
  // The updates of each recording, and what an operation that the target file names showed of it, in their order.
  const lives = histories(log).map((updates) => {
    const own = reads.filter(({ stored }) => stored?.recordingId === updates[0]?.resource);
    return [...updates, ...own].toSorted((a, b) => a.begin - b.begin);
  });
  const missing = CARRIED.filter((field) => !reads.some(({ stored }) => stored && field in stored.fields)).join(', ');
  if (reads.length > 0 && missing !== '')
    yield open(`reads.recording shows no ${missing}: name the place in reads.recording.fields of the target file`);
  for (const field of CARRIED) {
    // A member that never shows a written value is another one of the same name.
    const isOurs = lives.flat().some((entry) => {
      const written = sentObject(entry)[field];
      if (entry.stored) return field in entry.stored.fields;
      return isUpdate(entry) && saysSomething(written) && isCarried(written, recordOf(entry)?.[field]);
    });
    if (isOurs) yield* judgeCarried(lives, field, log);
  }
}

function* judgeCarried(all: readonly Entry[][], field: string, log: Log): Generator<Judgement> {
  const sentAnywhere = new Set(all.flat().map((entry) => canonical(memberOf(sentObject(entry), field))));
  // An answer may carry no more than what the update itself sent.
  let isRemembered = false;
  for (const entries of all) {
    const overlapping = overlappingIn(entries);
    let last: { value: unknown; by: Entry } | undefined;
    /** The value that the first read showed; whether a read showed a written one, and a later read the first one again. */
    const found = memberOf(entries.find(({ stored }) => stored)?.stored?.fields, field);
    let isStored = false;
    let isBack = false;
    const isLeft = leftByOtherRuns(log).has(entries.find(({ resource }) => resource)?.resource);
    for (const [at, entry] of entries.entries()) {
      // Of several reads in a row, the last: the others may have come too early.
      if (entry.stored && entries[at + 1]?.stored) continue;
      const record = entry.stored?.fields ?? recordOf(entry);
      const sent = sentObject(entry);
      const isSent = hasMember(sent, field);
      if (overlapping.has(entry) || (record ? isSent && !isUpdate(entry) : !isRefused(entry))) last = undefined;
      else if (record) {
        const now = memberOf(record, field);
        if (isSent) last = { value: memberOf(sent, field), by: entry };
        if (last && hasMember(record, field) && (entry.stored || isSent || saysSomething(now) || isRemembered)) {
          if (isCarried(field === 'analysis' ? known(last.value, now) : last.value, now)) {
            yield shown(entry);
            isRemembered ||= !isSent && saysSomething(now);
            isStored ||= entry.stored !== undefined;
          } else if (
            !isBack &&
            entry.stored &&
            (isLeft ? !sentAnywhere.has(canonical(now)) : isStored && isEqual(now, found))
          ) {
            // A run puts it back once, at its end.
            isBack = true;
            const why = isLeft ? 'has a value of before another run' : 'is again what it was at first';
            yield open(`${field} ${why}: another client may have put it back`, { kind: 'doubt' });
          } else {
            const message = `${entry.stored ? 'The recording is shown with' : `The answer to ${describeSent(entry)} carries`} another ${field} than was written.`;
            const by = new Set([last.by, entry]);
            yield { ...violated(message, { [field]: last.value }, { [field]: now }, ...by), field };
          }
        }
        if (!last && hasMember(record, field)) last = { value: now, by: entry };
      }
    }
  }
}

/** Of a written analysis, what is shown or named in the document: a service need not store members that it does not know. */
function known(written: unknown, now: unknown): unknown {
  if (!isObject(written) || !isObject(now)) return written;
  const isKnown = (name: string): boolean => hasMember(now, name) || ['key_topics', 'action_items'].includes(name);
  return Object.fromEntries(Object.entries(written).filter(([name]) => isKnown(name)));
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
  if (typeof now !== 'object' || now === null || Array.isArray(now)) return false;
  return Object.entries(written as object).every(
    ([name, value]) => value === null || isCarried(value, memberOf(now as JsonObject, name)),
  );
}

const named = (field: string): string => `recording-${field.replaceAll('_', '-')}`;

const updateRules = Object.entries(WRITABLE_FIELDS).map(([field, { requirement, format }]) => ({
  id: named(`update-${field}`),
  requirements: [requirement, ...(field === 'title' ? ['GEN-02'] : [])],
  title: `the update accepts ${field} alone${format === 'object' ? ', an object' : ''}`,
  judge: acceptsAlone(field),
}));

const readOnlyRules = Object.entries(READ_ONLY_FIELDS).map(([field, requirement]) => ({
  id: `${named(field)}-read-only`,
  requirements: [requirement],
  title: `${field} sent along with an update is not written`,
  judge: readOnly(field),
}));

export const recordingRules = rulesOf('recording', [
  ...updateRules,
  {
    id: 'recording-update-all',
    requirements: ['REC-06'],
    title: 'the update accepts all five fields together',
    judge: accepts(({ length }) => length === FIELDS.length),
  },
  {
    id: 'recording-update-some',
    requirements: ['REC-06'],
    title: 'the update accepts two, three and four of the five fields together',
    judge: accepts(({ length }) => length > 1 && length < FIELDS.length),
  },
  {
    id: 'recording-title-kept',
    requirements: ['REC-23'],
    title: 'a written title is still there at the next update',
    phases: ['updates', 'identifiers', 'overlaps', 'late'],
    judge: titleKept,
  },
  {
    id: 'recording-others-kept',
    requirements: ['REC-24'],
    title: 'fields that are not sent keep their values',
    phases: ['updates', 'identifiers'],
    judge: (log) => [...titleOthersKept(log), ...stepsIn(log).flatMap(judgeKept)],
  },
  {
    id: 'recording-status-untouched',
    requirements: ['REC-40'],
    title: 'no update changes the status',
    judge: statusUntouched,
  },
  {
    id: 'recording-carried',
    requirements: ['REC-41'],
    title:
      'summary, analysis and knowledge-base fields are what was written last, where an answer or `reads` shows them',
    phases: ['updates', 'reads', 'members'],
    needs: ['actors.admin', 'reads.recording', 'resources.recordingId'],
    judge: carried,
  },
  ...readOnlyRules,
  {
    id: 'refused-update-changes-nothing',
    requirements: ['AUT-11'],
    title: 'an update that is refused changes nothing',
    phases: ['updates', 'identifiers', 'invalid', 'refusals'],
    judge: refusedChangesNothing,
  },
]);
