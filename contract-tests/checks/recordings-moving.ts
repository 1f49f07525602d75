import { setTimeout as sleep } from 'node:timers/promises';
import { SAMPLE_ID } from '../session/operations.ts';
import { UNFINISHED } from '../session/records.ts';
import type { Session } from '../session/session.ts';
import { isSuccess } from '../wire/exchange.ts';
import type { JsonObject } from '../wire/json.ts';
import { recordingOf, SUMMARY } from './recording-updates.ts';

const PAUSE_MS = 250;
/** So often is the recording looked at until its status is a finished one. */
const LOOKS = 4;

/** What a check says that could not tell such a move from its own update's doing. */
export const TAKEN_UP =
  'the recording is taken up again by itself, without an update in between; name one that stays as it is in resources.recordingId';

/**
 * Whether a recording whose work is done moves on by itself: transitions are not shown (part 3), so the service may take it
 * up again at any time. Told from an update that changes the status by what happens while there is none: two updates at
 * once find the same finished status, and another one later finds a new one. `changing` is the update after which the
 * status was another one: what moves it is not asked again, where another field will do.
 */
export async function movesByItself(session: Session, changing: JsonObject): Promise<boolean> {
  const other: JsonObject = 'summary' in changing ? { kb_document_id: SAMPLE_ID } : { summary: SUMMARY };
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
