import { UNFINISHED } from '../session/records.ts';
import type { Session } from '../session/session.ts';
import { isSuccess } from '../wire/exchange.ts';
import type { JsonObject } from '../wire/json.ts';
import { sleep } from '../wire/time.ts';
import { CONTRACT_TITLE, recordingOf, SUMMARY } from './recording-updates.ts';

const PAUSE_MS = 250;
/** Maximum checks of the recording until its status is a finished one. */
const LOOKS = 4;

/** The message of a check that cannot tell such a change from the effect of its own update. */
export const REPROCESSED =
  'the recording is processed again by itself, without an update in between; name one that stays as it is in resources.recordingId';

/**
 * Whether a finished recording changes its status by itself: transitions are not shown (part 3), so the service may process
 * it again at any time. An update that changes the status is told from that by what happens without one: two updates in a
 * row find the same finished status, and a later one finds another. `changing` is the update after which the status had
 * changed: another field is sent here where possible.
 */
export async function movesByItself(session: Session, changing: JsonObject): Promise<boolean> {
  const other: JsonObject = 'summary' in changing ? { title: CONTRACT_TITLE } : { summary: SUMMARY };
  for (let look = 0; look < LOOKS; look++) {
    const [first, second] = [await statusAfter(session, other), await statusAfter(session, other)];
    await sleep(PAUSE_MS);
    if (first === undefined || first !== second || UNFINISHED.includes(first)) continue;
    const later = await statusAfter(session, other);
    if (later !== undefined && later !== second) return true;
  }
  return false;
}

async function statusAfter(session: Session, body: JsonObject): Promise<string | undefined> {
  const answer = await session.recording.update(body);
  return isSuccess(answer) ? (recordingOf(answer).status as string) : undefined;
}
