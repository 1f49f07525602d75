import { blocked } from '../failure.ts';
import { SAMPLE_ANALYSIS } from '../target/disposable-recording.ts';
import { SAMPLE_ID } from '../target/paths.ts';
import type { Answer } from '../target/request.ts';
import type { Session } from '../target/session.ts';
import { describe, isSuccess, jsonOf } from './answers.ts';
import type { Check } from './check.ts';
import { FIELD_NAMES } from './fields.ts';
import { isObject, type JsonObject } from './formats.ts';

/** How messages name the operation. */
export const SUBJECT = 'PATCH /v1/echo/recordings/{recordingId}';
export const HINT = 'Check that resources.recordingId is a recording that actors.admin may update.';
export const needs: Check['needs'] = ['actors.admin', 'resources.recordingId'];
/** Updates of each writable field that the record answered does not show. */
const NOT_IN_THE_RECORD: JsonObject[] = [
  { summary: 'Summary by the contract suite.' },
  { kb_folder_id: SAMPLE_ID },
  { kb_document_id: SAMPLE_ID },
  { analysis: SAMPLE_ANALYSIS },
];
export const ALL_FIVE = {
  title: 'All five fields',
  kb_folder_id: SAMPLE_ID,
  kb_document_id: SAMPLE_ID,
  summary: 'Summary by the contract suite.',
  analysis: SAMPLE_ANALYSIS,
};

/** The recording that an update answered. Blocked unless the answer is one as a whole. */
export function recordingOf(answer: Answer): JsonObject {
  const json = jsonOf(answer);
  if (!isSuccess(answer) || !isRecording(json)) throw blocked('recording-answered', `${SUBJECT} answered no recording`);
  return json;
}

export function isRecording(json: unknown): json is JsonObject {
  return isObject(json) && FIELD_NAMES.filter((field) => field in json).length > FIELD_NAMES.length / 2;
}

/** Sends an update that must succeed, and gives the recording answered. */
export async function updated(session: Session, body: JsonObject): Promise<JsonObject> {
  const answer = await session.recording.update(body);
  if (!isSuccess(answer))
    throw blocked(
      'recording-update-title',
      `An update of ${Object.keys(body).join(', ')} answered ${describe(answer)}`,
    );
  return recordingOf(answer);
}

/** The recording as it was found. */
export async function found(session: Session): Promise<JsonObject> {
  return recordingOf(await session.recording.original());
}

/** One update of each writable field alone, and what it answered; sent once a run, for all checks of the recording's fields. */
export function answersToEachField(session: Session): Promise<{ sent: string; answer: Answer }[]> {
  return session.recorder.once('recording after each field', async () => {
    const answers: { sent: string; answer: Answer }[] = [];
    for (const body of [{ title: 'Field check' }, ...NOT_IN_THE_RECORD])
      answers.push({ sent: Object.keys(body).join(), answer: await session.recording.update(body) });
    return answers;
  });
}
