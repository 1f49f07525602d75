import { recordingPath } from '../session/operations.ts';
import { isRecording, READ_ONLY_FIELDS, UNFINISHED } from '../session/records.ts';
import type { Session } from '../session/session.ts';
import { type Answer, isSuccess, jsonOf } from '../wire/exchange.ts';
import type { JsonObject } from '../wire/json.ts';
import { otherValues } from './read-only-values.ts';
import { SUMMARY } from './recording-updates.ts';

/** Fields that a target which writes them might lose the recording by: they are sent by their own checks only. */
const RISKY = ['id', 'user_id'];

/** A field that is not writable, sent alone, and what was answered. */
export interface Lone {
  field: string;
  value: unknown;
  answer: Answer;
  /** The recording as the update before answered it. */
  before: JsonObject;
}

interface Looks {
  /** What is still to be sent; undefined until it is known. */
  queue?: { field?: string; body: JsonObject }[];
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
export async function look(session: Session, inTurn?: { body: JsonObject; answer: Answer }[]): Promise<Answer> {
  const looks = await looksOf(session);
  const send = async (body: JsonObject): Promise<Answer> => {
    const answer = await session.recording.update(body);
    // What a body without a writable field is answered is not shown.
    if ('summary' in body || isRecording(jsonOf(answer))) inTurn?.push({ body, answer });
    return answer;
  };
  looks.queue ??= session.isQuick ? [] : await toSend(session);
  const next = looks.queue.shift();
  const before = shownLast(session);
  if (!next || !before) return send({ summary: SUMMARY });
  const answer = await send(next.body);
  const { field } = next;
  if (field !== undefined) looks.sent.push({ field, value: next.body[field], answer, before });
  if (isSuccess(answer) && isRecording(jsonOf(answer))) return answer;
  looks.queue = [];
  return send({ summary: SUMMARY });
}

async function toSend(session: Session): Promise<NonNullable<Looks['queue']>> {
  const before = shownLast(session);
  // The service changes one that it still processes by itself, which would look as if an update did.
  if (!before || UNFINISHED.includes(before.status as string)) return [];
  const queue: NonNullable<Looks['queue']> = [];
  for (const field of Object.keys(READ_ONLY_FIELDS).filter((each) => !RISKY.includes(each))) {
    const [value] = await otherValues(field, before, session);
    queue.push({ field, body: { [field]: value } });
  }
  return session.config.probing ? [...queue, ...PROBED.map((body) => ({ body }))] : queue;
}

/** What probes send: that the answer is known already spares them their request. */
const PROBED: readonly JsonObject[] = [
  { summary: SUMMARY, no_such_field_probe: 'x' },
  { analysis: { no_such_key_probe: { nested: [1] } } },
];
