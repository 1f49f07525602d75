import { blocked, violation } from '../failure.ts';
import { SAMPLE_ANALYSIS } from '../session/disposable-recording.ts';
import { SAMPLE_ID } from '../session/operations.ts';
import { READ_ONLY_FIELDS, UNFINISHED } from '../session/records.ts';
import type { Session } from '../session/session.ts';
import { type Answer, describe, isSuccess, jsonOf } from '../wire/exchange.ts';
import { isObject, type JsonObject, show } from '../wire/json.ts';
import type { Check } from './check.ts';
import { sameValue } from './field-rules.ts';
import { settled } from './patience.ts';
import { otherValues } from './read-only-values.ts';
import { found, needs, recordingOf, SUMMARY, updated } from './recording-updates.ts';

/** Longer than a column of 255 characters. */
const LONG_SUMMARY = 'A summary that is as long as summaries of meetings are. '.repeat(7);
/** Results as the document describes them: key topics and action items (part 2). */
const NESTED_ANALYSIS = {
  key_topics: [{ topic: 'contract', mentions: [12, 48] }],
  action_items: [{ task: 'verify', owner: { name: 'suite' }, done: false, due: null }],
};

const titleIn = (answer: Answer): unknown => {
  const record = jsonOf(answer);
  return isSuccess(answer) && isObject(record) ? record.title : undefined;
};

/** Throws unless a title that was written under a condition is there at the next update. */
async function assertKept(session: Session, title: string, condition: string, next: JsonObject): Promise<void> {
  const answer = await settled(
    () => session.recording.update(next),
    (seen) => titleIn(seen) === title,
  );
  if (!isSuccess(answer)) throw blocked('recording-update-summary', `The next update answered ${describe(answer)}`);
  if (titleIn(answer) === title) return;
  throw violation(`A title written ${condition} was not kept.`, title, titleIn(answer)).seenIn(answer);
}

/** A title beside a summary of more than 255 characters. Limits of a summary are not shown, so it may be refused. */
async function besideLongSummary(session: Session): Promise<void> {
  const title = 'With a long summary';
  const answer = await session.recording.update({ title, summary: LONG_SUMMARY });
  if (isSuccess(answer))
    await assertKept(session, title, `with a summary of ${LONG_SUMMARY.length} characters`, { summary: SUMMARY });
}

/** A title after an update that was refused, whichever that is: what is invalid is not shown. */
async function afterRefusal(session: Session): Promise<void> {
  const title = 'After a refused update';
  const refused = await session.recording.update({ summary: { not: 'text' } });
  if (isSuccess(refused)) return;
  const answer = await session.recording.update({ title });
  if (!isSuccess(answer)) throw blocked('recording-update-title', `The update answered ${describe(answer)}`);
  await assertKept(session, title, 'right after an update that was refused', { kb_folder_id: SAMPLE_ID });
}

/** An analysis with lists of objects. Its inner structure is not shown, so that it may be refused, but not fail. */
async function nestedAnalysis(session: Session): Promise<void> {
  if (session.target.resources?.analysis) return;
  const { response, ...exchange } = await session.recording.update({ analysis: NESTED_ANALYSIS });
  if (response.status < 500) return;
  const answer = { ...exchange, response };
  if (!isSuccess(await session.recording.update({ analysis: SAMPLE_ANALYSIS }))) return;
  throw violation(
    `An update with an analysis that holds lists of objects fails with ${response.status}, and one with lists of texts succeeds.`,
    'a success (2xx)',
    `${describe(answer)}: ${show(response.body)}`,
  )
    .of('REC-05')
    .seenIn(answer);
}

/** Every field that is not writable, beside the writable ones that others rarely send. */
async function readOnlyBesideOthers(session: Session): Promise<void> {
  const before = await updated(session, { summary: SUMMARY });
  if (UNFINISHED.includes(before.status as string)) return;
  const sent: JsonObject = {};
  for (const field of Object.keys(READ_ONLY_FIELDS)) [sent[field]] = await otherValues(field, before, session);
  const company = { kb_folder_id: SAMPLE_ID, kb_document_id: SAMPLE_ID, analysis: SAMPLE_ANALYSIS };
  const answer = await session.recording.update({ ...company, ...sent });
  const next = await session.recording.update({ summary: SUMMARY });
  for (const shown of [answer, next].filter(isSuccess)) {
    const after = recordingOf(shown);
    const field = Object.keys(sent).find(
      (name) => sameValue(name, after[name], sent[name]) && !sameValue(name, before[name], after[name]),
    );
    if (field === undefined) continue;
    await session.recording.update({ [field]: before[field] });
    throw violation(
      `${field}, sent beside kb_folder_id, kb_document_id and analysis, was written.`,
      { [field]: before[field] },
      { [field]: after[field] },
    )
      .of(READ_ONLY_FIELDS[field] ?? '')
      .seenIn(shown);
  }
}

/** Updates as they come in practice: what each field does must not depend on the company that it is in. */
export const updateConditions: Check = {
  id: 'recording-conditions',
  requirements: ['REC-23'],
  isThorough: true,
  title: 'an update is written whatever its company: a long summary, a nested analysis, a refused update before it',
  needs,
  writes: [
    'PATCH of the disposable recording: title (put back afterwards), other fields, and every field that is not writable beside them, none of which must be written',
  ],
  async run(session) {
    await found(session);
    await besideLongSummary(session);
    await afterRefusal(session);
    await nestedAnalysis(session);
    await readOnlyBesideOthers(session);
  },
};
