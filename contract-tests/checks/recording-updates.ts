import { blocked, type CheckFailure, violation } from '../failure.ts';
import type { Exchange } from '../model.ts';
import { SAMPLE_ANALYSIS } from '../session/disposable-recording.ts';
import { OPERATIONS, SAMPLE_ID } from '../session/operations.ts';
import { isRecording } from '../session/records.ts';
import type { Session } from '../session/session.ts';
import { isPatForm } from '../session/token-forms.ts';
import { type Answer, describe, isSuccess, jsonOf } from '../wire/exchange.ts';
import { isObject, type JsonObject } from '../wire/json.ts';

export const { name: SUBJECT, needs } = OPERATIONS.recording;
/** Long enough for a minimum length of summaries, and short enough for a maximum, which are left open. */
export const SUMMARY = 'Summary by the contract suite.';
/** As all titles that must be taken: letters, digits and single spaces, fifty at the most. */
export const CONTRACT_TITLE = 'Contract title';
export const ALL_FIVE = {
  title: 'All five fields',
  kb_folder_id: SAMPLE_ID,
  kb_document_id: SAMPLE_ID,
  summary: SUMMARY,
  analysis: SAMPLE_ANALYSIS,
};

/** The recording that an update answered. Blocked unless the answer is one as a whole. */
export function recordingOf(answer: Answer): JsonObject {
  const json = jsonOf(answer);
  if (!isSuccess(answer)) throw blocked('recording-update-summary', `${SUBJECT} answered ${describe(answer)}`);
  if (!isRecording(json)) throw blocked('recording-answered', `${SUBJECT} did not answer a recording`);
  return json;
}

/** The title that a success answered; undefined where it answered none. */
export function titleIn(answer: Answer): unknown {
  const record = jsonOf(answer);
  return isSuccess(answer) && isObject(record) ? record.title : undefined;
}

/** Sends an update that must succeed, and gives the recording answered. */
export async function updated(session: Session, body: JsonObject): Promise<JsonObject> {
  const answer = await session.recording.update(body);
  if (!isSuccess(answer))
    throw blocked(acceptedBy(body), `An update of ${Object.keys(body).join(', ')} answered ${describe(answer)}`);
  return recordingOf(answer);
}

/** The check that judges whether these fields are accepted. */
function acceptedBy(body: JsonObject): string {
  const [field = '', ...more] = Object.keys(body);
  return more.length === 0 ? `recording-update-${field.replaceAll('_', '-')}` : 'recording-update-some';
}

/** The recording as it was found. */
export async function found(session: Session): Promise<JsonObject> {
  return recordingOf(await session.recording.original());
}

/** The first success, else the answer to the original body: an analysis may be replaced by an empty one. */
export async function firstAnswer(session: Session, body: JsonObject): Promise<Answer> {
  const answer = await session.recording.update(body);
  if (isSuccess(answer) || body.analysis !== SAMPLE_ANALYSIS) return answer;
  const second = await session.recording.update({ ...body, analysis: {} });
  return isSuccess(second) ? second : answer;
}

/** The result of `work`. What it sends is not evidence yet: a check that judges an answer records it. */
export async function unrecorded<T>(session: Session, work: () => Promise<T>): Promise<T> {
  const { result, exchanges } = await session.recorder.scope(work);
  if (result.status === 'fulfilled') return result.value;
  for (const exchange of exchanges) session.recorder.record(exchange);
  throw result.reason;
}

/** The requirement that bearer tokens of the kind that was sent are accepted. */
export function bearerRequirement({ request }: Exchange): string {
  return isPatForm(request.headers.Authorization?.slice('Bearer '.length)) ? 'AUT-02' : 'AUT-01';
}

/** An update that was refused with credentials that were accepted for the one before it. */
export function refusedAfterSuccess(answer: Answer): CheckFailure {
  return violation(`${SUBJECT} refuses credentials that it accepted before.`, 'a success (2xx)', describe(answer))
    .of(bearerRequirement(answer))
    .seenIn(answer);
}
