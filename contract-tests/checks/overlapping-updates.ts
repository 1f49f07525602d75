import { blocked, violation } from '../failure.ts';
import { settled } from '../session/patience.ts';
import type { Session } from '../session/session.ts';
import { type Answer, describe, isSuccess } from '../wire/exchange.ts';
import { BY_MEMBER, besideOther, memberWhoUpdates, together } from './beside-other.ts';
import type { Check } from './check.ts';
import { look } from './looks.ts';
import { found, needs, titleIn } from './recording-updates.ts';
import { besideAnother, keptThroughout, TITLE } from './titles-kept.ts';
import { RIVALS } from './updates.ts';

/** The title that a recording has, once it is one of these or a little time has passed. */
async function titleKept(session: Session, expected: readonly string[]): Promise<Answer> {
  return settled(
    () => look(session),
    (seen) => expected.includes(String(titleIn(seen))),
  );
}

async function assertKeptBesideAnother(session: Session): Promise<void> {
  const [titled] = await besideAnother(session);
  if (!titled || !isSuccess(titled)) throw blocked('recording-update-title', 'The update of the title was refused');
  const kept = await titleKept(session, [TITLE]);
  if (!isSuccess(kept)) throw blocked('recording-update-summary', `The next update answered ${describe(kept)}`);
  if (titleIn(kept) === TITLE) return;
  throw violation(
    'A title was lost that was written while another update of the recording was under way.',
    TITLE,
    titleIn(kept),
  ).seenIn(kept);
}

/** What is written at the same time is written as well as what is written alone (4.2). */
export const overlappingUpdates: Check = {
  id: 'recording-overlapping',
  requirements: ['REC-23'],
  isThorough: true,
  title: 'updates at the same time are all written: of one recording as of two',
  needs,
  writes: ['PATCH of each disposable recording, two at a time: title (put back afterwards), other fields'],
  async run(session) {
    await found(session);
    const { recording } = session;
    // Who may update the other one is asked before, so that the recording is what was updated last.
    await memberWhoUpdates(session);
    if (!(await keptThroughout(session)).isKept) await assertKeptBesideAnother(session);
    await together(
      session,
      RIVALS.map((title) => () => recording.update({ title })),
    );
    // The answers of these are judged with every answer of the run: each must be of the recording that it addresses.
    const beside = (await besideOther(session))?.own;
    if (beside && titleIn(beside) === BY_MEMBER) return; // what member wrote has a check of its own
    const last = beside && RIVALS.includes(String(titleIn(beside))) ? beside : await titleKept(session, RIVALS);
    if (isSuccess(last) && !RIVALS.includes(String(titleIn(last)))) {
      throw violation('Of two titles written at once neither was kept.', RIVALS, titleIn(last)).seenIn(last);
    }
  },
};
