import { blocked, violation } from '../failure.ts';
import { SAMPLE_ID } from '../session/operations.ts';
import { READ_ONLY_FIELDS, UNFINISHED } from '../session/records.ts';
import type { Session } from '../session/session.ts';
import { type Answer, describe, isSuccess, jsonOf } from '../wire/exchange.ts';
import { isObject, type JsonObject, parseJson } from '../wire/json.ts';
import type { Check } from './check.ts';
import { sameValue } from './field-rules.ts';
import { look } from './looks.ts';
import { PROTECTED } from './operations.ts';
import { acceptedAnswer, MAKES_PAT, patHeader, refusedToPat } from './pat-answers.ts';
import { otherValues } from './read-only-values.ts';

const { recording } = PROTECTED;
const TITLE = 'Written with a PAT';
const SECOND_TITLE = 'Written with a PAT alone';

/** Another value for each field that is not writable; none for what processing may change to it by itself. */
async function valuesToSend(record: JsonObject, session: Session): Promise<JsonObject> {
  const settled = UNFINISHED.includes(record.status as string) ? ['status', 'method', 'quality', 'language'] : [];
  const sent: JsonObject = {};
  for (const field of Object.keys(READ_ONLY_FIELDS).filter((each) => !settled.includes(each)))
    [sent[field]] = await otherValues(field, record, session);
  return sent;
}

/** The recording as a JWT of the same user sees it. */
async function seenByJwt(session: Session): Promise<{ answer: Answer; record: JsonObject | undefined }> {
  const answer = await look(session);
  const record = jsonOf(answer);
  return { answer, record: isSuccess(answer) && isObject(record) ? record : undefined };
}

/** The fields that are not writable and were written all the same. */
function written(before: JsonObject, sent: JsonObject, after: JsonObject): string[] {
  return Object.keys(sent).filter(
    (field) => sameValue(field, after[field], sent[field]) && !sameValue(field, before[field], after[field]),
  );
}

/** Restores what the PAT could write, with the PAT, since it may be the only credential that can. */
async function putBack(session: Session, before: JsonObject, fields: string[]): Promise<void> {
  const headers = await patHeader(session);
  if (fields.includes('id'))
    await session.recording.repair(SAMPLE_ID, { id: before.id }, headers).catch(() => undefined);
  for (const field of fields.filter((each) => each !== 'id' && each !== 'updated_at'))
    await session.recording.update({ [field]: before[field] }, headers);
}

function assertTitle(expected: string, answer: Answer, requirement: string, when: string): void {
  const record = jsonOf(answer);
  const title = isObject(record) ? record.title : undefined;
  if (title === expected) return;
  throw violation(`A title that was written with a PAT is another one ${when}.`, expected, title ?? describe(answer))
    .of(requirement)
    .seenIn(answer);
}

/**
 * What a PAT writes is judged as what a JWT writes: one update with the title and all fields that are not writable, and
 * where a target refuses such a body, one with the title alone. Without a PAT those requirements are judged all the same, so
 * that they are named only where a PAT breaks them.
 */
export const patUpdateCheck: Check = {
  id: 'pat-update',
  requirements: ['AUT-02'],
  isThorough: true,
  title: 'an update with a PAT writes the title, for every caller, and nothing that is not writable',
  needs: recording.needs,
  writes: [
    MAKES_PAT,
    'PATCH of the disposable recording: summary, title (put back afterwards), and every field that is not writable, none of which must be written',
  ],
  async run(session) {
    const shownToPat = jsonOf(await acceptedAnswer(session, recording));
    const before = isObject(shownToPat) ? shownToPat : jsonOf(await session.recording.original());
    if (!isObject(before)) throw blocked('recording-answered', 'The recording answered is none');
    const headers = await patHeader(session);
    const sent = await valuesToSend(before, session);
    const first = await session.recording.update({ title: TITLE, ...sent }, headers);
    const { answer: readBack, record } = await seenByJwt(session);
    // What the look itself sent is judged by the check of that field.
    const looked = Object.keys(parseJson(readBack.request.body ?? '') ?? {});
    const shown = [jsonOf(first), record].filter(isObject);
    const fields = Object.keys(READ_ONLY_FIELDS).filter((field) =>
      shown.some((each) => written(before, sent, each).includes(field) && !(each === record && looked.includes(field))),
    );
    const [field] = fields;
    if (field) {
      await putBack(session, before, fields);
      throw violation(
        `${fields.join(', ')}, sent along with an update with a PAT, ${fields.length === 1 ? 'was' : 'were'} written.`,
        Object.fromEntries(fields.map((each) => [each, before[each]])),
        Object.fromEntries(fields.map((each) => [each, sent[each]])),
      )
        .of(READ_ONLY_FIELDS[field] ?? '')
        .seenIn(record ? readBack : first);
    }
    if (!record) throw blocked('recording-update-summary', `The next update answered ${describe(readBack)}`);
    if (!isSuccess(first)) {
      if (record.title === TITLE) {
        const message = `An update with a PAT was refused with ${first.response.status}, and its title was written all the same.`;
        throw violation(message, before.title, record.title).of('AUT-11').seenIn(readBack);
      }
      return titleAlone(session, headers);
    }
    assertTitle(TITLE, first, 'REC-22', 'in the answer');
    assertTitle(TITLE, readBack, 'REC-23', 'to a JWT of the same user');
  },
};

async function titleAlone(session: Session, headers: Record<string, string>): Promise<void> {
  const answer = await session.recording.update({ title: SECOND_TITLE }, headers);
  if (!isSuccess(answer)) throw await refusedToPat(session, recording, answer);
  assertTitle(SECOND_TITLE, answer, 'REC-22', 'in the answer');
  const { answer: readBack, record } = await seenByJwt(session);
  if (!record) throw blocked('recording-update-summary', `The next update answered ${describe(readBack)}`);
  assertTitle(SECOND_TITLE, readBack, 'REC-23', 'to a JWT of the same user');
}
