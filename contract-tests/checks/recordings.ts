import { violation } from '../failure.ts';
import { SAMPLE_ANALYSIS } from '../session/disposable-recording.ts';
import { SAMPLE_ID } from '../session/operations.ts';
import type { Check } from './check.ts';
import { fieldJudgements, findingChecks } from './findings.ts';
import { sameId } from './formats.ts';
import { ALL_FIVE, judgeUpdates, needs, SUMMARY, updated } from './recording-updates.ts';
import { acceptCheck, acceptsSets } from './recordings-accepting.ts';

const writes = ['PATCH of the disposable recording: each writable field (title put back afterwards)'];

export const recordingChecks: Check[] = [
  acceptCheck('recording-update-title', ['REC-01', 'GEN-02'], 'title alone', { title: 'Contract title' }),
  acceptCheck('recording-update-kb-folder-id', ['REC-02'], 'kb_folder_id alone', { kb_folder_id: SAMPLE_ID }),
  acceptCheck('recording-update-kb-document-id', ['REC-03'], 'kb_document_id alone', { kb_document_id: SAMPLE_ID }),
  acceptCheck('recording-update-summary', ['REC-04'], 'summary alone', { summary: SUMMARY }),
  acceptCheck('recording-update-analysis', ['REC-05'], 'analysis alone, an object', { analysis: SAMPLE_ANALYSIS }),
  acceptCheck('recording-update-all', ['REC-06'], 'all five fields together', ALL_FIVE),
  acceptsSets,
  // 4.2 has one answer for every update, so it must be whole whichever fields were sent.
  ...findingChecks({ needs, writes, judge: judgeUpdates }, [
    { id: 'recording-answered', requirement: 'REC-07', title: 'the update answers with the recording' },
    ...fieldJudgements('Recording', 'recording', 'the recording'),
  ]),
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
