import { blocked, CheckFailure, untested, violation } from '../failure.ts';
import { fieldsOf, isRecording, READ_ONLY_FIELDS, UNFINISHED } from '../session/records.ts';
import type { Session } from '../session/session.ts';
import { type Answer, describe, isSuccess, jsonOf } from '../wire/exchange.ts';
import { type JsonObject, show } from '../wire/json.ts';
import type { Check } from './check.ts';
import { sameValue } from './field-rules.ts';
import { changesOf, readOnlySurvey } from './read-only-survey.ts';
import { otherValues } from './read-only-values.ts';
import { needs, recordingOf, unrecorded, updated } from './recording-updates.ts';
import { movesByItself, REPROCESSED } from './recordings-moving.ts';

/** What a field that is not writable is sent with: implementations that write it may do so in some company only. */
const COMPANY: [how: string, body: JsonObject][] = [
  ['a summary', { summary: 'With a field that is not writable.' }],
  ['a title', { title: 'With a field that is not writable' }],
  ['nothing else', {}],
];

const checkOf = (field: string): string => `recording-${field.replaceAll('_', '-')}-read-only`;

/** A check that sending `field` changes nothing, whether the target ignores it or refuses the request. */
function readOnlyCheck(field: string, requirement: string): Check {
  return {
    id: checkOf(field),
    requirements: [requirement],
    title: `${field} sent along with an update is not written`,
    needs,
    writes: [
      `PATCH of the disposable recording: summary, title (put back afterwards), and ${field}, which must not be written`,
    ],
    async run(session) {
      const survey = await readOnlySurvey(session).catch((error: unknown) => {
        const by = error instanceof CheckFailure && session.ledger.reporterOf([error.requirement ?? '']);
        throw by ? blocked(by, error.message) : error;
      });
      const change = changesOf(field, survey);
      if (!change && isSuccess(survey.next)) {
        for (const { answer } of survey.sent.filter((each) => each.field === field)) session.recorder.record(answer);
        return;
      }
      if (change && !UNFINISHED.includes(survey.before.status as string)) {
        assertOwnCause(session, field, change);
        await assertNotWritten(session, field, change.before ?? survey.before, change.answer, [change.value]);
        return;
      }
      const culprit = Object.keys(READ_ONLY_FIELDS).find((other) => !change && changesOf(other, survey));
      if (culprit)
        throw blocked(checkOf(culprit), `After ${culprit} was written, the recording cannot be updated any more`);
      const before = await updated(session, { summary: 'Summary before a field that is not writable.' });
      const values = await otherValues(field, before, session);
      for (const [at, [how, company]] of COMPANY.entries()) {
        let isAccepted = false;
        // All of them once; the other fields rather decide whether this field is considered at all.
        for (const sent of at === 0 ? values : values.slice(0, 1)) {
          const answer = await session.recording.update({ ...company, [field]: sent });
          // Without a writable field it is perhaps an update of nothing, whose answer is not documented.
          if (isSuccess(answer) && isRecording(jsonOf(answer)))
            await assertNotWritten(session, field, before, answer, [sent]);
          isAccepted ||= isSuccess(answer);
        }
        const next = await session.recording.update({ summary: 'Summary after a field that is not writable.' });
        if (isSuccess(next)) await assertNotWritten(session, field, before, next, values);
        else if (isAccepted) {
          throw violation(
            `After ${field} was sent with ${how}, the recording cannot be updated any more.`,
            'a success (2xx)',
            describe(next),
          );
        }
      }
    },
  };
}

/** Throws where the field changed to another value than was sent, and a check has reported already that updates change it. */
function assertOwnCause(session: Session, field: string, { value, answer }: { value: unknown; answer: Answer }): void {
  if (sameValue(field, recordingOf(answer)[field], value)) return;
  const by = session.ledger.reporterOf(['REC-24', 'REC-40', fieldsOf('Recording')[field]?.requirement ?? '']);
  if (by) throw blocked(by, `${field} changed to another value than was sent`);
}

async function assertNotWritten(
  session: Session,
  field: string,
  before: JsonObject,
  answer: Answer,
  sent: readonly unknown[],
): Promise<void> {
  const after = recordingOf(answer);
  const isSent = sent.some((value) => sameValue(field, after[field], value));
  // updated_at changes with every update; it only must not become what was sent.
  if (sameValue(field, before[field], after[field]) || (field === 'updated_at' && !isSent)) return;
  // Processing under way changes fields by itself, to other values than were sent.
  if (UNFINISHED.includes(before.status as string) && !isSent) {
    throw untested(
      `the recording was still ${show(before.status)}, and ${field} changed by itself; name a completed recording in resources.recordingId`,
    );
  }
  if (field === 'status' && (await unrecorded(session, () => movesByItself(session, { status: sent[0] }))))
    throw untested(REPROCESSED);
  // The same fault would fail later checks: the recording is restored as far as the target allows.
  if (field === 'id') await session.recording.repair(String(after.id), { id: before.id }).catch(() => undefined);
  else await session.recording.update({ [field]: before[field] });
  throw violation(
    `${field}, sent along with an update, was written.`,
    { [field]: before[field] },
    { [field]: after[field] },
  ).seenIn(answer);
}

/** What no update writes (part 2). */
export const readOnlyFieldChecks: Check[] = Object.entries(READ_ONLY_FIELDS).map(([field, requirement]) =>
  readOnlyCheck(field, requirement),
);
