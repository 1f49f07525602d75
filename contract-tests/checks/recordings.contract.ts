import { violation } from '../failure.ts';
import { SAMPLE_ANALYSIS } from '../target/disposable-recording.ts';
import { SAMPLE_ID } from '../target/paths.ts';
import { assertField, describe, jsonOf } from './answers.ts';
import type { Check } from './check.ts';
import { FIELD_NAMES, isRecording, RECORDING_FIELDS } from './fields.ts';
import { sameId, show } from './formats.ts';
import { ALL_FIVE, judgeUpdates, needs, recordingOf, SUBJECT, SUMMARY, updated } from './recordings.ts';
import { acceptCheck, acceptsSets } from './recordings-accepting.ts';
import { registerChecks } from './register.ts';

const writes = ['PATCH of the disposable recording: each writable field (title put back afterwards)'];

export const recordingChecks: Check[] = [
  acceptCheck('recording-update-title', ['REC-01', 'GEN-02'], 'title alone', { title: 'Contract title' }),
  acceptCheck('recording-update-kb-folder-id', ['REC-02'], 'kb_folder_id alone', { kb_folder_id: SAMPLE_ID }),
  acceptCheck('recording-update-kb-document-id', ['REC-03'], 'kb_document_id alone', { kb_document_id: SAMPLE_ID }),
  acceptCheck('recording-update-summary', ['REC-04'], 'summary alone', { summary: SUMMARY }),
  acceptCheck('recording-update-analysis', ['REC-05'], 'analysis alone, an object', { analysis: SAMPLE_ANALYSIS }),
  acceptCheck('recording-update-all', ['REC-06'], 'all five fields together', ALL_FIVE),
  acceptsSets,
  {
    id: 'recording-answered',
    requirements: ['REC-07'],
    title: 'the update answers with the recording',
    needs,
    writes,
    run: (session) =>
      judgeUpdates(session, (answer, sent) => {
        if (isRecording(jsonOf(answer))) return;
        throw violation(
          `${SUBJECT} with ${sent} answered no recording.`,
          `an object with ${FIELD_NAMES.join(', ')}`,
          `${describe(answer)}: ${show(answer.response.body)}`,
        );
      }),
  },
  // 4.2 has one answer for every update, so it must be whole whichever fields were sent.
  ...Object.entries(RECORDING_FIELDS).map(
    ([field, { requirement, expected, holds }]): Check => ({
      id: `recording-${field.replaceAll('_', '-')}`,
      requirements: [requirement],
      title: `the recording has ${field}: ${expected}`,
      needs,
      writes,
      run: (session) =>
        judgeUpdates(session, (answer, sent) =>
          assertField(`The recording answered to a new ${sent}`, recordingOf(answer), field, expected, holds),
        ),
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
