import { recordingPath } from '../session/operations.ts';
import { READ_ONLY_FIELDS, UNFINISHED } from '../session/records.ts';
import type { Session } from '../session/session.ts';
import { type Answer, isSuccess, jsonOf } from '../wire/exchange.ts';
import { isObject, type JsonObject } from '../wire/json.ts';
import { look } from './looks.ts';
import { otherValues } from './read-only-values.ts';
import { unrecorded } from './recording-updates.ts';

/** The title that an update with a PAT writes. */
export const TITLE = 'Written with a PAT';

/** Another value for each field that is not writable; none for what processing may change to it by itself. */
async function valuesToSend(record: JsonObject, session: Session): Promise<JsonObject> {
  const settled = UNFINISHED.includes(record.status as string) ? ['status', 'method', 'quality', 'language'] : [];
  const sent: JsonObject = {};
  for (const field of Object.keys(READ_ONLY_FIELDS).filter((each) => !settled.includes(each)))
    [sent[field]] = await otherValues(field, record, session);
  return sent;
}

/** The recording as a JWT of the same user sees it. */
export async function seenByJwt(session: Session): Promise<{ answer: Answer; record: JsonObject | undefined }> {
  const answer = await look(session);
  const record = jsonOf(answer);
  return { answer, record: isSuccess(answer) && isObject(record) ? record : undefined };
}

interface ByPat {
  /** The recording as the update before answered it. */
  before?: JsonObject;
  /** The fields that are not writable, with what was sent. */
  sent: JsonObject;
  /** What the update answered, and the recording as a JWT saw it next; absent where there is no recording to update. */
  first?: Answer;
  next?: Awaited<ReturnType<typeof seenByJwt>>;
}

/** An update with the PAT of admin, of the title and of all fields that are not writable; sent once a run. */
export function updateByPat(session: Session): Promise<ByPat> {
  return unrecorded(session, () =>
    session.recorder.once('update by PAT', async () => {
      await session.recording.original();
      const last = session.successes.findLast(
        ({ request }) => request.method === 'PATCH' && request.url.endsWith(recordingPath(session.recording.id)),
      );
      const before = last && jsonOf(last);
      if (!isObject(before)) return { sent: {} };
      const sent = await valuesToSend(before, session);
      const headers = { Authorization: `Bearer ${(await session.pats.of('admin')).token}` };
      const first = await session.recording.update({ title: TITLE, ...sent }, headers);
      return { before, sent, first, next: await seenByJwt(session) };
    }),
  );
}
