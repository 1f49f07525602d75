import { recordingPath } from '../session/operations.ts';
import { isRecording, READ_ONLY_FIELDS, UNFINISHED } from '../session/records.ts';
import type { Session } from '../session/session.ts';
import { type Answer, isSuccess, jsonOf } from '../wire/exchange.ts';
import type { JsonObject } from '../wire/json.ts';
import { otherValues } from './read-only-values.ts';
import { SUMMARY } from './recording-updates.ts';

/** Fields that a target which writes them might lose the recording by: they are sent by their own checks only. */
export const RISKY = ['id', 'user_id'];

/** A field that is not writable, sent alone, and what was answered. */
export interface Lone {
  field: string;
  value: unknown;
  answer: Answer;
  /** The recording as the update before answered it. */
  before: JsonObject;
}

/** A body that a look may send: of one field, or what a probe would send. */
interface Queued {
  field?: string;
  body: JsonObject;
}

interface Looks {
  /** What is still to be sent; undefined until it is known. */
  queue?: Queued[];
  sent: Lone[];
}

const looksOf = (session: Session): Promise<Looks> => session.recorder.once('looks', async () => ({ sent: [] }));

/** The fields that the looks of the run sent alone so far. */
export async function lonesOf(session: Session): Promise<readonly Lone[]> {
  return (await looksOf(session)).sent;
}

/** The recording as the last update that showed it did, whatever it sent; undefined before there is one. */
function shownLast(session: Session): JsonObject | undefined {
  const path = recordingPath(session.recording.id);
  const records = session.successes.filter(({ request }) => request.url.endsWith(path)).map(jsonOf);
  return records.findLast(isRecording);
}

/** Whether the next look sends the last of these fields: those before it are left out of the looks from now on. */
export async function isLastLone(session: Session, fields: readonly string[]): Promise<boolean> {
  const looks = await looksOf(session);
  const last = looks.queue?.find(({ field }) => field !== undefined && field === fields.at(-1));
  looks.queue = looks.queue?.filter((queued) => queued === last || queued.field === undefined);
  return last !== undefined;
}

/** Leaves fields out of the looks from now on, since all of them have been sent. */
export async function endLones(session: Session): Promise<void> {
  const looks = await looksOf(session);
  looks.queue = looks.queue?.filter(({ field }) => field === undefined);
}

/**
 * An update that looks at the recording and leaves its title alone. While the run still has bodies to send by themselves,
 * it sends the next of them: a field that is not writable, or what a probe would send. Where the target refuses one, or
 * answers no recording, every look is an update of the summary.
 */
export function look(session: Session, inTurn?: { body: JsonObject; answer: Answer }[]): Promise<Answer> {
  return lookWith(session, () => true, inTurn);
}

/** The same with an update that is sure to write something: a summary, or what a probe would send of writable fields. */
export function lookWriting(session: Session): Promise<Answer> {
  return lookWith(session, ({ field, body }) => field === undefined && Object.keys(body).length > 0);
}

async function lookWith(
  session: Session,
  isWanted: (queued: Queued) => boolean,
  inTurn?: { body: JsonObject; answer: Answer }[],
): Promise<Answer> {
  const looks = await looksOf(session);
  const send = async (body: JsonObject): Promise<Answer> => {
    const answer = await session.recording.update(body);
    // What a body without a writable field is answered is not shown.
    if ('summary' in body || isRecording(jsonOf(answer))) inTurn?.push({ body, answer });
    return answer;
  };
  looks.queue ??= session.isQuick ? [] : await toSend(session);
  const at = looks.queue.findIndex(isWanted);
  const [next] = at < 0 ? [] : looks.queue.splice(at, 1);
  if (!next) return send({ summary: SUMMARY });
  const before = shownLast(session);
  if (!before) return send({ summary: SUMMARY });
  const answer = await send(next.body);
  const { field } = next;
  if (field !== undefined) looks.sent.push({ field, value: next.body[field], answer, before });
  if (isSuccess(answer) && isRecording(jsonOf(answer))) return answer;
  // Where one field is refused, so are the others.
  if (field !== undefined) await endLones(session);
  return send({ summary: SUMMARY });
}

async function toSend(session: Session): Promise<Queued[]> {
  const before = shownLast(session);
  // The service changes one that it still processes by itself, which would look as if an update did.
  if (!before || UNFINISHED.includes(before.status as string)) return [];
  const queue: Queued[] = [];
  for (const field of Object.keys(READ_ONLY_FIELDS).filter((each) => !RISKY.includes(each))) {
    const [value] = await otherValues(field, before, session);
    queue.push({ field, body: { [field]: value } });
  }
  if (!session.config.probing) return queue;
  const { request } = await session.recording.original();
  // An update of nothing is one only where it was accepted when the recording was found.
  return [...queue, { body: PROBED }, ...(request.body === '{}' ? [{ body: {} }] : [])];
}

/** What a probe sends: that the answer is known already spares it its request. */
const PROBED: JsonObject = { summary: SUMMARY, no_such_field_probe: 'x' };
