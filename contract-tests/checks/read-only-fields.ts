import { untested, violation } from '../failure.ts';
import { SAMPLE_ID } from '../session/operations.ts';
import { isRecording, READ_ONLY_FIELDS, STATUSES, UNFINISHED } from '../session/records.ts';
import type { Session } from '../session/session.ts';
import { type Answer, describe, isSuccess, jsonOf } from '../wire/exchange.ts';
import { isObject, type JsonObject, show } from '../wire/json.ts';
import type { Check } from './check.ts';
import { sameValue } from './field-rules.ts';
import { isDateTime } from './formats.ts';
import { needs, recordingOf, unrecorded, updated } from './recording-updates.ts';
import { movesByItself, REPROCESSED } from './recordings-moving.ts';

/**
 * Values other than the recording's own, in the forms that a target which writes the field might accept: it may validate
 * what it writes, or read null as a request to empty the field.
 */
export async function otherValues(field: string, record: JsonObject, session: Session): Promise<unknown[]> {
  const current = record[field];
  const isUnfinished = UNFINISHED.includes(record.status as string);
  switch (field) {
    case 'id':
      return [SAMPLE_ID];
    case 'user_id':
      // Whether the user exists may be looked up.
      return [SAMPLE_ID, ...(await memberId(session, current)), null];
    case 'status':
      // Not what processing itself would make of it: that it became so would prove nothing.
      if (isUnfinished) return ['failed', null];
      return [...STATUSES.filter((status) => status !== current).toReversed(), null];
    case 'diarization_enabled':
      return [!current, null];
    case 'filename':
      return [`overwritten-by-contract-suite${/\.\w{1,5}$/.exec(String(current))?.[0] ?? '.wav'}`, null];
    case 'created_at':
    case 'updated_at':
      return [longAgo(current), null];
    default: {
      if (isUnfinished) return ['other', null]; // processing finds out the language, and may settle the others
      const vocabulary = session.assumed<string[]>(`${field}-values`).filter((value) => value !== current);
      return [...vocabulary.slice(0, 2), 'other', null];
    }
  }
}

/** Another time, in whole seconds, written as the recording writes its own. */
function longAgo(time: unknown): string {
  if (!isDateTime(time)) return '2001-02-03T04:05:06Z';
  return String(time)
    .replace(/^\d{4}/, '2000') // a leap year, so that every day of another one exists
    .replace(/(?<=[.,])\d+/, (digits) => '0'.repeat(digits.length));
}

async function memberId(session: Session, owner: unknown): Promise<unknown[]> {
  if (!session.credentials('member').sso) return [];
  const grant = await session.signIn.sso('member').then(
    ({ answer }) => jsonOf(answer),
    () => undefined,
  );
  const id = isObject(grant) && isObject(grant.user) ? grant.user.id : undefined;
  return typeof id === 'string' && id !== owner ? [id] : [];
}

/** What a field that is not writable is sent with: implementations that write it may do so in some company only. */
const COMPANY: [how: string, body: JsonObject][] = [
  ['a summary', { summary: 'With a field that is not writable.' }],
  ['a title', { title: 'With a field that is not writable' }],
  ['nothing else', {}],
];

/** A check that sending `field` changes nothing, whether the target ignores it or refuses the request. */
function readOnlyCheck(field: string, requirement: string): Check {
  return {
    id: `recording-${field.replaceAll('_', '-')}-read-only`,
    requirements: [requirement],
    title: `${field} sent along with an update is not written`,
    needs,
    writes: [
      `PATCH of the disposable recording: summary, title (put back afterwards), and ${field}, which must not be written`,
    ],
    async run(session) {
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
