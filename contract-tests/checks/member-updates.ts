import { blocked, violation } from '../failure.ts';
import { settled } from '../session/patience.ts';
import type { Session } from '../session/session.ts';
import { type Answer, describe, isSuccess } from '../wire/exchange.ts';
import { BY_MEMBER, besideOther, memberWhoUpdates } from './beside-other.ts';
import type { Check } from './check.ts';
import { assertNone } from './findings.ts';
import { look } from './looks.ts';
import { found, needs, recordingOf, refusedAfterSuccess, SUMMARY, titleIn } from './recording-updates.ts';
import { tokenFindings } from './token-lives.ts';

const BY_ADMIN = 'Written by admin after member';
const AGAIN_BY_MEMBER = 'Written by member after admin';

/** Throws unless an update of the other recording, or of the first one, shows the title that was written last. */
async function assertTitle(look: () => Promise<Answer>, expected: unknown, message: string): Promise<void> {
  const answer = await settled(look, (seen) => titleIn(seen) === expected);
  if (!isSuccess(answer)) throw blocked('recording-update-summary', `The next update answered ${describe(answer)}`);
  if (titleIn(answer) !== expected) throw violation(message, expected, titleIn(answer)).seenIn(answer);
}

/**
 * Member and admin update a recording in turn, and each what the other one wrote: the document has one operation, whoever
 * the caller. The answers themselves are judged with every answer of the run.
 */
async function inTurns(session: Session, member: Record<string, string>): Promise<void> {
  const { otherRecording } = session;
  const { own: seen, other: written } = (await besideOther(session)) ?? {};
  if (!seen || !written) return;
  if (seen.response.status === 401) {
    assertNone(await tokenFindings(session), session);
    throw refusedAfterSuccess(seen);
  }
  const first = recordingOf(seen);
  if (!isSuccess(written)) return; // what else member may write is not shown
  const elsewhere = 'An update by member of one recording changed the title of another one.';
  if (first.title === BY_MEMBER) throw violation(elsewhere, 'the title as before', first.title).seenIn(seen);
  await assertTitle(() => look(session), first.title, elsewhere);
  await assertTitle(
    () => otherRecording.update({ summary: SUMMARY }, member),
    BY_MEMBER,
    'A title that member wrote was not kept until its next update.',
  );
  const admins = await otherRecording.update({ title: BY_ADMIN });
  if (!isSuccess(admins)) return; // nor whose recordings admin may update
  await assertTitle(
    () => otherRecording.update({ summary: SUMMARY }),
    BY_ADMIN,
    'A title that admin wrote after member was not kept until the next update.',
  );
  const again = await otherRecording.update({ title: AGAIN_BY_MEMBER }, member);
  if (again.response.status === 401 || again.response.status === 403) {
    throw violation(
      `Member could update a recording until admin did, and is refused with ${again.response.status} since.`,
      'a success (2xx)',
      describe(again),
    )
      .of('REC-37')
      .seenIn(again);
  }
  if (!isSuccess(again)) return;
  await assertTitle(
    () => otherRecording.update({ summary: SUMMARY }, member),
    AGAIN_BY_MEMBER,
    'A title that member wrote after admin was not kept until its next update.',
  );
}

/** The same without member: an update reaches the recording that its path addresses, and no other. */
async function byAdmin(session: Session): Promise<void> {
  const { recording, otherRecording } = session;
  const other = await otherRecording.update({ summary: SUMMARY });
  if (!isSuccess(other)) return;
  await recording.update({ title: BY_ADMIN });
  await assertTitle(
    () => otherRecording.update({ summary: SUMMARY }),
    recordingOf(other).title,
    'An update of one recording changed the title of another one.',
  );
}

export const memberUpdates: Check = {
  id: 'recording-of-each-caller',
  requirements: ['REC-23', 'REC-24'],
  isThorough: true,
  isOfTheRun: true,
  title: 'what member and admin write in turn is kept, and reaches only the recording that is addressed',
  needs,
  writes: ['PATCH of each disposable recording, as member and as admin: title (put back afterwards), other fields'],
  async run(session) {
    await found(session);
    if (session.target.resources?.otherRecordingId === undefined) return;
    const member = await memberWhoUpdates(session);
    await (member ? inTurns(session, member) : byAdmin(session));
  },
  async remark({ target }) {
    if (target.resources?.otherRecordingId !== undefined) return undefined;
    return 'Only one recording is named, so that updates of another one by mistake stayed unseen; resources.otherRecordingId can name a second one, if possible of member.';
  },
};
