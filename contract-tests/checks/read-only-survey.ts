import { SAMPLE_ID } from '../session/operations.ts';
import { isRecording, READ_ONLY_FIELDS } from '../session/records.ts';
import type { Session } from '../session/session.ts';
import { isPatForm } from '../session/token-forms.ts';
import { type Answer, isSuccess, jsonOf } from '../wire/exchange.ts';
import { isObject, type JsonObject, parseJson } from '../wire/json.ts';
import { sameValue } from './field-rules.ts';
import { endLones, isLastLone, lonesOf, look, RISKY } from './looks.ts';
import { otherValues } from './read-only-values.ts';
import { answersToEachField } from './recording-sets.ts';
import { recordingOf, refusedAfterSuccess, SUMMARY, unrecorded, updated } from './recording-updates.ts';
import { successesOf } from './run-answers.ts';

/** A field that is not writable, and what was answered when it was sent. */
interface Sent {
  field: string;
  value: unknown;
  answer: Answer;
  /** The recording before it. */
  before: JsonObject;
}

export interface Survey {
  /** The recording before anything was sent that is not writable. */
  before: JsonObject;
  /** Every field with each of its values in an update that was accepted, and with each that was refused by itself. */
  sent: Sent[];
  /** The update after all of them. */
  next: Answer;
}

const FIELDS = Object.keys(READ_ONLY_FIELDS);

/** Fields with the values to send in one update. */
type Group = [field: string, value: unknown][];

/**
 * What becomes of the fields that are not writable: all of them are sent at once, in one update for each of their values, and
 * each of them alone, as looks at the recording have sent some already, since implementations that write one may do so in
 * some company only. An update that is refused is sent
 * again in halves, until it is known which fields are accepted. Sent once a run; none of it is evidence yet.
 */
export function readOnlySurvey(session: Session): Promise<Survey> {
  return unrecorded(session, () => session.recorder.once('fields that are not writable', () => survey(session)));
}

const isRare = ({ sent, answer }: { sent: string; answer: Answer }): boolean =>
  isSuccess(answer) && !['title', 'summary'].includes(sent);

async function survey(session: Session): Promise<Survey> {
  const last = (await successesOf('recording', session)).at(-1);
  const before = last
    ? recordingOf(last)
    : await updated(session, { summary: 'Summary before fields that are not writable.' });
  const lones = [...(await lonesOf(session))];
  const sent: Sent[] = [...lones];
  const send = async (company: JsonObject, group: Group): Promise<void> => {
    const answer = await session.recording.update({ ...company, ...Object.fromEntries(group) });
    await undoId(session, before, answer);
    // Credentials that were good for the update before are not refused for the sake of the fields (part 5).
    if (answer.response.status === 401) throw refusedAfterSuccess(answer);
    if (isSuccess(answer) || group.length === 1) {
      sent.push(...group.map(([field, value]) => ({ field, value, answer, before })));
      return;
    }
    const half = Math.ceil(group.length / 2);
    await send(company, group.slice(0, half));
    await send(company, group.slice(half));
  };
  const [first = [], ...others] = await valueRounds(before, session);
  // Where one was refused, all of them together are, too: then each is sent by itself, and with each of its values once.
  const isStrict = lones.some(({ answer }) => !isSuccess(answer));
  const isRepeated = ([field, value]: Group[number]): boolean =>
    first.some((one) => one[0] === field && one[1] === value);
  const sendGroup = async (company: JsonObject, group: Group): Promise<void> => {
    const parts = isStrict ? group.filter((one) => first === group || !isRepeated(one)).map((one) => [one]) : [group];
    for (const part of parts) await send(company, part);
  };
  // The writable fields that others rarely send beside those that are not, as far as the target takes them.
  const rare = session.isQuick ? [] : (await answersToEachField(session)).filter(isRare).map(({ body }) => body);
  if (!isSentByPat(session)) await sendGroup({ title: 'With fields that are not writable' }, first);
  for (const [at, round] of (session.isQuick ? others.slice(0, 1) : others).entries())
    await sendGroup(at === 0 && rare.length > 0 ? Object.assign({}, ...rare) : { summary: SUMMARY }, round);
  const isSent = ([field]: Group[number]): boolean => lones.some((lone) => lone.field === field);
  const isRisky = ([field]: Group[number]): boolean => RISKY.includes(field);
  if (!session.isQuick) {
    const unsent = first.filter((one) => !isSent(one) && !isRisky(one));
    // The last of them is sent by the look at the recording after all others.
    const isQueued = await isLastLone(
      session,
      unsent.map(([field]) => field),
    );
    for (const one of isQueued ? unsent.slice(0, -1) : unsent) await send({}, [one]);
    await send({}, first.filter(isRisky));
    if (!isQueued) await endLones(session);
  }
  const next = await look(session);
  return { before, sent: [...sent, ...(await lonesOf(session)).slice(lones.length)], next };
}

/** Whether all of them were sent beside a title with a PAT, and accepted: then what became of them was judged there. */
function isSentByPat({ successes }: Session): boolean {
  return successes.some(({ request }) => {
    const body = parseJson(request.body ?? '');
    const isByPat = isPatForm(request.headers.Authorization?.slice('Bearer '.length));
    return isByPat && isObject(body) && 'title' in body && FIELDS.every((field) => field in body);
  });
}

/** All fields with the first value of each, with the second ones, and so on; null, which empties fields, comes last. */
async function valueRounds(record: JsonObject, session: Session): Promise<Group[]> {
  const values: [string, unknown[]][] = [];
  for (const field of FIELDS) values.push([field, await otherValues(field, record, session)]);
  const written = (all: unknown[]): unknown[] => all.filter((value) => value !== null);
  const rounds = Math.max(...values.map(([, all]) => written(all).length));
  const groups = Array.from(
    { length: rounds },
    (_, round): Group => values.map(([field, all]) => [field, written(all)[round] ?? written(all)[0]]),
  );
  return [...groups, values.filter(([, all]) => all.includes(null)).map(([field]): Group[number] => [field, null])];
}

/** A target that writes the id would lose the recording for everything that follows. */
async function undoId(session: Session, before: JsonObject, answer: Answer): Promise<void> {
  const after = jsonOf(answer);
  if (!isSuccess(answer) || !isRecording(after) || !sameValue('id', after.id, SAMPLE_ID)) return;
  await session.recording.repair(SAMPLE_ID, { id: before.id }).catch(() => undefined);
}

/** Where the survey shows that a field was written: the value that was sent, or another one than before. */
export function changesOf(
  field: string,
  { before, sent, next }: Survey,
): { value: unknown; answer: Answer; before?: JsonObject } | undefined {
  const own = sent.filter((each) => each.field === field && isSuccess(each.answer) && isRecording(jsonOf(each.answer)));
  const isChanged = (answer: Answer, values: readonly unknown[], was: JsonObject): boolean => {
    const after = recordingOf(answer)[field];
    // updated_at changes with every update; it only must not become what was sent.
    if (field === 'updated_at') return values.some((value) => sameValue(field, after, value));
    return !sameValue(field, was[field], after);
  };
  const seen = own.find((each) => isChanged(each.answer, [each.value], each.before));
  if (seen) return seen;
  const values = sent.filter((each) => each.field === field).map(({ value }) => value);
  if (!isSuccess(next) || !isRecording(jsonOf(next)) || !isChanged(next, values, before)) return undefined;
  return { value: values[0], answer: next };
}
