import { blocked, untested, violation } from '../failure.ts';
import type { Answer } from '../target/request.ts';
import { SAMPLE_ID, type Session } from '../target/session.ts';
import { assertField, assertJson, describe, isSuccess, jsonOf, notSuccessful } from './answers.ts';
import type { Check } from './check.ts';
import { FIELD_NAMES, READ_ONLY_FIELDS, RECORDING_FIELDS, sameValue, UNFINISHED } from './fields.ts';
import { isObject, type JsonObject, sameId, sameInstant, show } from './formats.ts';
import { registerChecks } from './register.ts';

const SUBJECT = 'PATCH /v1/echo/recordings/{recordingId}';
const HINT = 'Check that resources.recordingId is a recording that actors.admin may update.';
const needs: Check['needs'] = ['actors.admin', 'resources.recordingId'];
const ANALYSIS = { key_topics: ['contract'], action_items: ['verify'] };
/** Updates of each writable field that the record answered does not show. */
const NOT_IN_THE_RECORD: JsonObject[] = [
  { summary: 'Summary by the contract suite.' },
  { kb_folder_id: SAMPLE_ID },
  { kb_document_id: SAMPLE_ID },
  { analysis: ANALYSIS },
];
const ALL_FIVE = {
  title: 'All five fields',
  kb_folder_id: SAMPLE_ID,
  kb_document_id: SAMPLE_ID,
  summary: 'Summary by the contract suite.',
  analysis: ANALYSIS,
};

/** The recording that an update answered. Blocked unless the answer is one as a whole. */
function recordingOf(answer: Answer): JsonObject {
  const json = jsonOf(answer);
  if (!isSuccess(answer) || !isRecording(json)) throw blocked('recording-answered', `${SUBJECT} answered no recording`);
  return json;
}

function isRecording(json: unknown): json is JsonObject {
  return isObject(json) && FIELD_NAMES.filter((field) => field in json).length > FIELD_NAMES.length / 2;
}

/** Sends an update that must succeed, and gives the recording answered. */
async function updated(session: Session, body: JsonObject): Promise<JsonObject> {
  const answer = await session.update(body);
  if (!isSuccess(answer))
    throw blocked(
      'recording-update-title',
      `An update of ${Object.keys(body).join(', ')} answered ${describe(answer)}`,
    );
  return recordingOf(answer);
}

async function found(session: Session): Promise<JsonObject> {
  return recordingOf(await session.originalRecording());
}

/** One update of each writable field alone, and what it answered; sent once a run, for all checks of the recording's fields. */
function answersToEachField(session: Session): Promise<{ sent: string; answer: Answer }[]> {
  return session.recorder.once('recording after each field', async () => {
    const answers: { sent: string; answer: Answer }[] = [];
    for (const body of [{ title: 'Field check' }, ...NOT_IN_THE_RECORD])
      answers.push({ sent: Object.keys(body).join(), answer: await session.update(body) });
    return answers;
  });
}

/** A check that the update takes `body`; a second body is tried where the document leaves open what is inside. */
function acceptCheck(id: string, requirements: string[], fields: string, bodies: JsonObject[]): Check {
  return {
    id,
    requirements,
    title: `the update accepts ${fields}`,
    needs,
    writes: [`PATCH of the disposable recording: ${[...new Set(bodies.flatMap(Object.keys))].join(', ')}`],
    async run(session) {
      const answers: Answer[] = [];
      for (const body of bodies) {
        const answer = await session.update(body);
        if (isSuccess(answer)) return assertTitleTaken(answer, body);
        answers.push(answer);
      }
      const answer = answers[0] as Answer;
      const others = isSuccess(await session.originalRecording());
      const invented = inventedIds(session, bodies);
      if (others && answer.response.status === 404 && invented.length > 0) {
        // What unknown identifiers get is not shown (part 7): 404 says that it looked this one up.
        throw untested(
          `${SUBJECT} answered 404 to an invented knowledge-base identifier; name existing ones in ${invented.join(' and ')}`,
        );
      }
      if (others) {
        throw violation(
          `${SUBJECT} refuses ${fields}, and takes another writable field.`,
          'a success (2xx)',
          `${describe(answer)}: ${show(answer.response.body)}`,
        );
      }
      throw notSuccessful(answer, `${SUBJECT} with ${fields}`, HINT, await session.isProven());
    },
  };
}

/** A title sent with other fields is written as well as one sent alone. */
function assertTitleTaken(answer: Answer, body: JsonObject): void {
  const json = jsonOf(answer);
  if (!isObject(json) || !('title' in body) || json.title === body.title) return;
  throw violation(
    `An update of ${Object.keys(body).join(', ')} answered another title than was sent.`,
    { title: body.title },
    { title: json.title },
  );
}

/** The fields of the target file that would give an existing identifier in place of one that the suite made up. */
function inventedIds({ target }: Session, bodies: readonly JsonObject[]): string[] {
  const sends = (field: string): boolean => bodies.some((body) => field in body);
  return [
    ...(sends('kb_folder_id') && !target.resources?.kbFolderId ? ['resources.kbFolderId'] : []),
    ...(sends('kb_document_id') && !target.resources?.kbDocumentId ? ['resources.kbDocumentId'] : []),
  ];
}

/** Titles that a careless implementation changes on the way. The first must be taken; the others may be refused. */
const TITLES: [what: string, title: string][] = [
  ['plain text', 'Contract title 1'],
  ['Unicode', 'Ünïcödé – 日本語 – \u{1F3A7} – עברית – e\u0301'],
  ['markup', '<b>"Q&A"</b> &amp; \'quotes\' \\ %20 {{x}} %s'],
  ['white space', '  two  spaces\tand a tab '],
  ['line breaks', 'first line\r\nsecond line'],
  // What a careless serialiser takes for a number, or for nothing.
  ['digits', '00451'],
  ['the word null', 'null'],
  ['300 characters', `${'long title '.repeat(27)}end`],
];

const exactTitle: Check = {
  id: 'recording-title-exact',
  requirements: ['REC-22'],
  title: 'the title written is the title answered, exactly',
  needs,
  writes: ['PATCH of the disposable recording: title (put back afterwards)'],
  async run(session) {
    for (const [what, title] of TITLES) {
      const answer = await session.update({ title });
      if (!isSuccess(answer)) {
        // Limits of a title are not shown, so only an everyday one must be taken.
        if (what === 'plain text')
          throw blocked('recording-update-title', `An update of the title answered ${describe(answer)}`);
        continue;
      }
      const actual = recordingOf(answer).title;
      if (actual !== title) throw violation(`A title of ${what} came back changed.`, title, actual);
    }
  },
};

const keptTitle: Check = {
  id: 'recording-title-kept',
  requirements: ['REC-23'],
  title: 'a written title is still there at the next update',
  needs,
  writes: ['PATCH of the disposable recording: title (put back afterwards), summary'],
  async run(session) {
    let tried = 0;
    for (const [what, title] of TITLES) {
      const answer = await session.update({ title });
      // What it answered to a title is judged by recording-title-exact; here only what it kept of that.
      const written = isSuccess(answer) ? recordingOf(answer).title : undefined;
      if (written === undefined) continue;
      tried += 1;
      const kept = (await updated(session, { summary: 'Summary by the contract suite.' })).title;
      if (kept !== written) throw violation(`A title of ${what} was not kept until the next update.`, written, kept);
    }
    if (tried === 0) throw blocked('recording-update-title', 'No update of the title succeeded');
  },
};

const keepsOthers: Check = {
  id: 'recording-others-kept',
  requirements: ['REC-24'],
  title: 'fields that are not sent keep their values',
  needs,
  writes: ['PATCH of the disposable recording: each writable field (title put back afterwards)'],
  async run(session) {
    let before = await found(session);
    for (const body of [
      { title: 'Another title' },
      { summary: 'Another summary.' },
      { kb_folder_id: SAMPLE_ID },
      { kb_document_id: SAMPLE_ID },
      { analysis: ANALYSIS },
    ] as JsonObject[]) {
      const answer = await session.update(body);
      if (!isSuccess(answer)) continue; // judged by the check that the field is accepted
      const after = recordingOf(answer);
      for (const field of FIELD_NAMES) {
        if (field in body || field === 'updated_at') continue;
        // The service may still be at work on the recording; recording-status-untouched judges the status.
        if (field === 'status') continue;
        if (UNFINISHED.includes(before.status as string) && ['language', 'quality', 'method'].includes(field)) continue;
        if (!sameValue(field, before[field], after[field])) {
          throw violation(
            `An update of ${Object.keys(body).join()} alone changed ${field}.`,
            { [field]: before[field] },
            { [field]: after[field] },
          );
        }
      }
      before = after;
    }
  },
};

const statusUntouched: Check = {
  id: 'recording-status-untouched',
  requirements: ['REC-40'],
  title: 'no update changes the status',
  needs,
  writes: ['PATCH of the disposable recording: each writable field (title put back afterwards)'],
  async run(session) {
    let before = (await found(session)).status;
    for (const body of [
      { title: 'Status check' },
      { summary: 'Status check.' },
      { kb_folder_id: SAMPLE_ID },
      { kb_document_id: SAMPLE_ID },
      { analysis: ANALYSIS },
      ALL_FIVE,
    ]) {
      const answer = await session.update(body);
      if (!isSuccess(answer)) continue;
      const after = recordingOf(answer).status;
      if (after !== before && UNFINISHED.includes(before as string)) {
        throw untested(
          `the recording was still ${show(before)} and moved on by itself; name a completed recording in resources.recordingId`,
        );
      }
      if (after !== before)
        throw violation(`An update of ${Object.keys(body).join(', ')} changed the status.`, before, after);
      before = after;
    }
  },
};

/** A value other than the recording's own, of the type that the field has. */
function otherValue(field: string, record: JsonObject, session: Session): unknown {
  const current = record[field];
  if (field === 'status')
    // Not what processing itself would make of it: that it became so would prove nothing.
    return current === 'failed' ? 'completed' : 'failed';
  if (field === 'diarization_enabled') return !current;
  if (field.endsWith('_at')) return '2001-02-03T04:05:06Z';
  if (field === 'id' || field === 'user_id') return SAMPLE_ID;
  if (field === 'filename') return 'overwritten-by-contract-suite.wav';
  const vocabulary = session.assumed<string[]>(`${field}-values`);
  return vocabulary.find((value) => value !== current) ?? 'other';
}

/** What a field that is not writable is sent with: implementations that write it may do so in some company only. */
const COMPANY: [how: string, body: JsonObject][] = [
  ['a summary', { summary: 'With a field that is not writable.' }],
  ['a title', { title: 'With a field that is not writable' }],
  ['nothing else', {}],
];

/** A check that sending `field` changes nothing, whether the target ignores it or refuses the request. */
function readOnlyCheck(field: string, requirement: string): Check {
  return {
    id: `recording-${field.replaceAll('_', '-')}-read-only`,
    requirements: [requirement],
    title: `${field} sent along with an update is not written`,
    needs,
    writes: [
      `PATCH of the disposable recording: summary, title (put back afterwards), and ${field}, which must not be written`,
    ],
    async run(session) {
      const before = await updated(session, { summary: 'Before.' });
      const sent = otherValue(field, before, session);
      for (const [how, company] of COMPANY) {
        const answer = await session.update({ ...company, [field]: sent });
        if (isSuccess(answer)) await assertNotWritten(session, field, before, recordingOf(answer), sent);
        const next = await session.update({ summary: 'After.' });
        if (isSuccess(next)) await assertNotWritten(session, field, before, recordingOf(next), sent);
        else if (isSuccess(answer)) {
          throw violation(
            `After ${field} was sent with ${how}, the recording cannot be updated any more.`,
            'a success (2xx)',
            describe(next),
          );
        }
      }
    },
  };
}

async function assertNotWritten(
  session: Session,
  field: string,
  before: JsonObject,
  after: JsonObject,
  sent: unknown,
): Promise<void> {
  // updated_at moves with every update; it only must not become what was sent.
  const written =
    field === 'updated_at' ? sameInstant(after[field], sent) : !sameValue(field, before[field], after[field]);
  if (!written) return;
  // Processing that goes on meanwhile changes fields by itself, to other values than were sent.
  if (UNFINISHED.includes(before.status as string) && !sameValue(field, after[field], sent)) {
    throw untested(
      `the recording was still ${show(before.status)}, and ${field} changed by itself; name a completed recording in resources.recordingId`,
    );
  }
  // A later check would trip over the same fault: the recording is put right as far as the target lets us.
  if (field === 'id') await session.repair(String(after.id), { id: before.id }).catch(() => undefined);
  else await session.update({ [field]: before[field] });
  throw violation(
    `${field}, sent along with an update, was written.`,
    { [field]: before[field] },
    { [field]: after[field] },
  );
}

export const recordingChecks: Check[] = [
  acceptCheck('recording-update-title', ['REC-01', 'GEN-02'], 'title alone', [{ title: 'Contract title' }]),
  acceptCheck('recording-update-kb-folder-id', ['REC-02'], 'kb_folder_id alone', [{ kb_folder_id: SAMPLE_ID }]),
  acceptCheck('recording-update-kb-document-id', ['REC-03'], 'kb_document_id alone', [{ kb_document_id: SAMPLE_ID }]),
  acceptCheck('recording-update-summary', ['REC-04'], 'summary alone', [{ summary: 'Summary by the contract suite.' }]),
  acceptCheck('recording-update-analysis', ['REC-05'], 'analysis alone, an object', [
    { analysis: ANALYSIS },
    { analysis: {} },
  ]),
  acceptCheck('recording-update-all', ['REC-06'], 'all five fields together', [
    ALL_FIVE,
    { ...ALL_FIVE, analysis: {} },
  ]),
  acceptCheck('recording-update-some', ['REC-06'], 'title and summary together', [
    { title: 'Two fields', summary: 'Two fields.' },
  ]),
  {
    id: 'recording-json',
    requirements: ['GEN-01'],
    title: 'the update answers JSON',
    needs,
    writes: ['PATCH of the disposable recording: summary'],
    async run(session) {
      const answer = await session.originalRecording();
      if (!isSuccess(answer)) throw blocked('recording-update-summary', `An update answered ${describe(answer)}`);
      assertJson(answer, SUBJECT);
    },
  },
  {
    id: 'recording-answered',
    requirements: ['REC-07'],
    title: 'the update answers with the recording',
    needs,
    writes: ['PATCH of the disposable recording: summary'],
    async run(session) {
      const answer = await session.originalRecording();
      if (!isSuccess(answer)) throw blocked('recording-update-summary', `An update answered ${describe(answer)}`);
      if (!isRecording(jsonOf(answer))) {
        throw violation(
          `${SUBJECT} answered no recording.`,
          `an object with ${FIELD_NAMES.join(', ')}`,
          `${describe(answer)}: ${show(answer.response.body)}`,
        );
      }
    },
  },
  ...Object.entries(RECORDING_FIELDS).map(
    ([field, { requirement, expected, holds }]): Check => ({
      id: `recording-${field.replaceAll('_', '-')}`,
      requirements: [requirement],
      title: `the recording has ${field}: ${expected}`,
      needs,
      writes: ['PATCH of the disposable recording: each writable field (title put back afterwards)'],
      async run(session) {
        assertField('The recording answered', await found(session), field, expected, holds);
        // 4.2 has one answer for every update, so it must be whole whichever field was sent.
        for (const { sent, answer } of await answersToEachField(session)) {
          if (isSuccess(answer))
            assertField(`The recording answered to a new ${sent}`, recordingOf(answer), field, expected, holds);
        }
      },
    }),
  ),
  {
    id: 'recording-addressed',
    requirements: ['REC-21'],
    title: 'the recording answered is the one addressed',
    needs,
    writes: ['PATCH of the disposable recording: summary'],
    async run(session) {
      const record = await updated(session, { summary: 'Which recording is this?' });
      const expected = session.resource('recordingId');
      if (!sameId(String(record.id), expected))
        throw violation('The update answered another recording.', expected, record.id);
    },
  },
  exactTitle,
  keptTitle,
  keepsOthers,
  statusUntouched,
  ...Object.entries(READ_ONLY_FIELDS).map(([field, requirement]) => readOnlyCheck(field, requirement)),
];

await registerChecks('recordings', recordingChecks);
