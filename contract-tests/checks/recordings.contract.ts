import { blocked, untested, violation } from '../failure.ts';
import { SAMPLE_ANALYSIS } from '../target/disposable-recording.ts';
import { SAMPLE_ID } from '../target/paths.ts';
import type { Answer } from '../target/request.ts';
import type { Session } from '../target/session.ts';
import { assertField, describe, isSuccess, jsonOf, notSuccessful } from './answers.ts';
import type { Check } from './check.ts';
import { FIELD_NAMES, RECORDING_FIELDS } from './fields.ts';
import { isObject, type JsonObject, sameId, show } from './formats.ts';
import {
  ALL_FIVE,
  answersToEachField,
  found,
  HINT,
  isRecording,
  needs,
  recordingOf,
  SUBJECT,
  updated,
} from './recordings.ts';
import { registerChecks } from './register.ts';
import { assertKnownResource, WRITES_TO_MADE_UP } from './unknown-resources.ts';

/** A check that the update takes `body`; a second body is tried where the document leaves open what is inside. */
function acceptCheck(id: string, requirements: string[], fields: string, bodies: JsonObject[]): Check {
  return {
    id,
    requirements,
    title: `the update accepts ${fields}`,
    needs,
    writes: [
      `PATCH of the disposable recording: ${[...new Set(bodies.flatMap(Object.keys))].join(', ')}`,
      WRITES_TO_MADE_UP,
    ],
    async run(session) {
      const answers: Answer[] = [];
      for (const body of bodies) {
        const answer = await session.recording.update(body);
        if (isSuccess(answer)) return assertTitleTaken(answer, body);
        answers.push(answer);
      }
      const answer = answers[0] as Answer;
      const others = isSuccess(await session.recording.original());
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
      await assertKnownResource('recordingId', session);
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

export const recordingChecks: Check[] = [
  acceptCheck('recording-update-title', ['REC-01', 'GEN-02'], 'title alone', [{ title: 'Contract title' }]),
  acceptCheck('recording-update-kb-folder-id', ['REC-02'], 'kb_folder_id alone', [{ kb_folder_id: SAMPLE_ID }]),
  acceptCheck('recording-update-kb-document-id', ['REC-03'], 'kb_document_id alone', [{ kb_document_id: SAMPLE_ID }]),
  acceptCheck('recording-update-summary', ['REC-04'], 'summary alone', [{ summary: 'Summary by the contract suite.' }]),
  acceptCheck('recording-update-analysis', ['REC-05'], 'analysis alone, an object', [
    { analysis: SAMPLE_ANALYSIS },
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
    id: 'recording-answered',
    requirements: ['REC-07'],
    title: 'the update answers with the recording',
    needs,
    writes: ['PATCH of the disposable recording: summary'],
    async run(session) {
      const answer = await session.recording.original();
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
];

await registerChecks('recordings', recordingChecks);
