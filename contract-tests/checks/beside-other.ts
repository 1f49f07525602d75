import type { Session } from '../session/session.ts';
import { type Answer, isSuccess } from '../wire/exchange.ts';
import { sleep } from '../wire/time.ts';
import { look } from './looks.ts';
import { SUMMARY } from './recording-updates.ts';

export const BY_MEMBER = 'Written by member';

/** Enough to arrive first, and too little to be answered by then. */
const HEAD_START_MS = 10;

/** Updates at the same time, or one after the other where requests may not overlap. */
export async function together(session: Session, updates: readonly (() => Promise<Answer>)[]): Promise<Answer[]> {
  const send = session.inTurn();
  const sent = updates.map(async (update, at) => {
    // The one that arrives first is known, so that the other one is the last to be written.
    await sleep(at * HEAD_START_MS);
    return send(update);
  });
  return Promise.all(sent);
}

/** The Authorization header of member where it may update the other recording, which is then found through it. */
export async function memberWhoUpdates(session: Session): Promise<Record<string, string> | undefined> {
  if (session.target.resources?.otherRecordingId === undefined) return undefined;
  if (Object.keys(session.credentials('member')).length === 0) return undefined;
  const headers = await session.signIn.authorization('member');
  // Member comes first: a recording that admin takes over with an update must still be member's.
  return isSuccess(await session.otherRecording.original(headers)) ? headers : undefined;
}

/** Two updates at the same time, of both recordings. */
interface Beside {
  /** The recording's, which leaves its title alone. */
  own: Answer;
  /** The other recording's: a title by member where it may write one, else a summary by admin. */
  other: Answer;
}

/**
 * An update of the recording, and right after it one of the other recording, where there is one that can be updated; sent
 * once a run. What was updated last is the recording then: an update by member may land in that.
 */
export function besideOther(session: Session): Promise<Beside | undefined> {
  return session.recorder.once('updates of both recordings', async () => {
    if (session.target.resources?.otherRecordingId === undefined) return undefined;
    const member = await memberWhoUpdates(session);
    const { otherRecording } = session;
    if (!member && !isSuccess(await otherRecording.original())) return undefined;
    const [own, other] = await together(session, [
      () => look(session),
      () =>
        member ? otherRecording.update({ title: BY_MEMBER }, member) : otherRecording.update({ summary: SUMMARY }),
    ]);
    return own && other && { own, other };
  });
}
