import { sameValue } from '../checks/field-rules.ts';
import type { Finding } from '../checks/findings.ts';
import { recordingWatch } from '../checks/kept-values.ts';
import { CHECKED_OPERATIONS } from '../checks/operations.ts';
import { describeSent, isUpdate } from '../checks/run-answers.ts';
import { mustBeKept } from '../checks/title-texts.ts';
import { isRecording, READ_ONLY_FIELDS, UNFINISHED } from '../session/records.ts';
import { type Answer, isSuccess, jsonOf } from '../wire/exchange.ts';
import { isObject, type JsonObject, parseJson } from '../wire/json.ts';
import type { Book } from './book.ts';
import { checkOf, type Judge, REMEMBERED } from './judge.ts';
import type { Seen } from './operations-in.ts';
import { Recent } from './recent.ts';

/** A title that a request sent, and what the recording was called before. */
interface SentTitle {
  title: unknown;
  before: unknown;
  answer: Answer;
}

/** What the recording showed of one recording of the API so far. */
interface Known {
  /** The last update that succeeded, and the record that it answered. */
  last?: { answer: Answer; record: JsonObject; endedAt: number };
  written?: SentTitle;
  refused?: SentTitle;
  /** Read-only fields that were sent with another value than the recording had. */
  sent: { field: string; value: unknown; before: unknown; answer: Answer }[];
}

const NAME = CHECKED_OPERATIONS.recording.name;
const READ_ONLY = Object.fromEntries(
  Object.entries(READ_ONLY_FIELDS).map(([field, requirement]) => [field, { requirement, check: checkOf(requirement) }]),
);
const SOMEBODY = 'which somebody outside of the recording may have done';

/** Judges what the updates of each recording say together: what was written and kept, and what none may change. */
export function recordingsJudge(book: Book): Judge {
  const recordings = new Recent<string, Known>(REMEMBERED);
  const lastOf = new Recent<string, { answer: Answer; record: JsonObject }>(REMEMBERED);
  const watch = recordingWatch((answer) => describeSent(CHECKED_OPERATIONS.recording, answer), lastOf);
  /** How often a title that was written, or the status, was seen to be another one without a reason in sight. */
  const unexplained: { title?: Finding; titles: number; status?: Finding; statuses: number } = {
    titles: 0,
    statuses: 0,
  };

  const find = (
    requirement: string,
    message: string,
    expected: unknown,
    actual: unknown,
    answers: Answer[],
  ): Finding => ({
    requirement,
    message,
    expected,
    actual,
    answers,
  });

  const judgeTitle = ({ written, refused }: Known, record: JsonObject, sent: JsonObject, answer: Answer): void => {
    if ('title' in sent || typeof record.title !== 'string') return;
    if (refused && record.title === refused.title && record.title !== refused.before) {
      const status = refused.answer.response.status;
      const message = `${NAME} was refused with ${status}, and its title was written all the same.`;
      book.violate(
        'refused-update-changes-nothing',
        find('AUT-11', message, refused.before, record.title, [refused.answer, answer]),
      );
    } else if (refused && record.title === refused.before) book.pass('refused-update-changes-nothing', answer);
    if (!written) return;
    if (record.title === written.title) book.pass('recording-title-kept', answer);
    else {
      const message = 'A title that was written is not there any more at the next update.';
      const finding = find('REC-23', message, written.title, record.title, [written.answer, answer]);
      // The very title that was there before: nobody else has written that.
      if (record.title === written.before) book.violate('recording-title-kept', finding);
      else {
        unexplained.titles += 1;
        unexplained.title ??= finding;
      }
    }
  };

  const judgeStatus = (before: JsonObject, record: JsonObject, answers: Answer[]): void => {
    if (typeof before.status !== 'string' || UNFINISHED.includes(before.status)) return;
    if (before.status === record.status) book.pass('recording-status-untouched', answers[1] as Answer);
    else {
      unexplained.statuses += 1;
      const message = 'Each update of a recording changes its status.';
      unexplained.status ??= find('REC-40', message, before.status, record.status, answers);
    }
  };

  const judgeReadOnly = (known: Known, record: JsonObject, answer: Answer): void => {
    for (const { field, value, before, answer: writing } of known.sent) {
      const { requirement = '', check = '' } = READ_ONLY[field] ?? {};
      const message = `${field}, sent along with an update, was written.`;
      if (sameValue(field, record[field], value))
        book.violate(
          check,
          find(requirement, message, { [field]: before }, { [field]: record[field] }, [writing, answer]),
        );
      else if (field === 'updated_at' || sameValue(field, record[field], before)) book.pass(check, answer);
    }
  };

  /** What the request sends that no update writes, and the recording has otherwise. */
  const readOnlyIn = (sent: JsonObject, { last }: Known, answer: Answer): Known['sent'] =>
    Object.entries(sent).flatMap(([field, value]) => {
      if (!(field in READ_ONLY) || !last) return [];
      const before = last.record[field];
      const isOther = before !== undefined && !sameValue(field, before, value);
      // Processing may make of it what was sent.
      if (!isOther || UNFINISHED.includes(last.record.status as string)) return [];
      return [{ field, value, before, answer }];
    });

  return {
    checks: [
      'recording-title-kept',
      'recording-others-kept',
      'recording-status-untouched',
      'refused-update-changes-nothing',
      ...Object.values(READ_ONLY).map(({ check }) => check),
    ],
    see(seen: Seen) {
      const { operation, answer, path, startedAt, endedAt } = seen;
      if (operation !== 'recording' || !seen.hasRequestBody || !seen.hasBody) return;
      const sent = parseJson(answer.request.body ?? '');
      if (!isObject(sent)) return;
      const known = recordings.ensure(path, () => ({ sent: [] }));
      // Of updates that overlap nobody knows which came first.
      if (known.last && startedAt < known.last.endedAt) {
        recordings.set(path, { sent: [] });
        return;
      }
      const title = { title: sent.title, before: known.last?.record.title, answer };
      if (!isSuccess(answer)) {
        const isRefusal = answer.response.status >= 400 && answer.response.status < 500;
        if (isRefusal && known.last && 'title' in sent && title.title !== title.before) known.refused = title;
        return;
      }
      const record = jsonOf(answer);
      if (!isRecording(record)) return;
      known.sent.push(...readOnlyIn(sent, known, answer));
      judgeTitle(known, record, sent, answer);
      judgeReadOnly(known, record, answer);
      if (known.last) judgeStatus(known.last.record, record, [known.last.answer, answer]);
      // What a request sent is judged by the checks of the fields, and not as a change between updates.
      if (isUpdate(answer.request) && known.sent.length === 0) {
        const changes = watch(answer);
        for (const finding of changes) book.violate('recording-others-kept', finding);
        if (known.last && changes.length === 0) book.pass('recording-others-kept', answer);
      } else lastOf.delete(answer.request.url);
      recordings.set(path, {
        last: { answer, record, endedAt },
        // One that came back changed has a check of its own.
        ...(mustBeKept(sent.title) && record.title === sent.title ? { written: title } : {}),
        sent: known.sent.filter((each) => each.answer === answer),
      });
    },
    end() {
      const { title, titles, status, statuses } = unexplained;
      const isNeverKept = (check: string): boolean => !book.has(check);
      if (title && titles > 1 && isNeverKept('recording-title-kept')) book.violate('recording-title-kept', title);
      else if (title) book.open('recording-title-kept', `a title changed between two updates, ${SOMEBODY}`);
      if (status && statuses > 1 && isNeverKept('recording-status-untouched'))
        book.violate('recording-status-untouched', status);
      else if (status)
        book.open('recording-status-untouched', 'the status changed, and the service may have processed it again');
    },
  };
}
