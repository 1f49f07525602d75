import { blocked, violation } from '../failure.ts';
import { isSuccess } from '../wire/exchange.ts';
import type { Check } from './check.ts';
import { fieldJudgements, findingChecks, type Judgement } from './findings.ts';
import { sameId } from './formats.ts';
import { answersToEachField, judgeUpdates } from './recording-sets.ts';
import { needs, recordingOf } from './recording-updates.ts';
import { acceptCheck, acceptsSets } from './recordings-accepting.ts';

const writes = ['PATCH of the disposable recording: each writable field (title put back afterwards)'];

/** What 4.2 and part 2 say of the answer. */
export const RECORDING_JUDGEMENTS: Judgement[] = [
  { id: 'recording-answered', requirement: 'REC-07', title: 'the update answers with the recording' },
  ...fieldJudgements('Recording', 'recording', 'the recording'),
];

export const recordingChecks: Check[] = [
  acceptCheck('title', ['REC-01', 'GEN-02']),
  acceptCheck('kb_folder_id', ['REC-02']),
  acceptCheck('kb_document_id', ['REC-03']),
  acceptCheck('summary', ['REC-04']),
  acceptCheck('analysis', ['REC-05']),
  ...acceptsSets,
  // 4.2 has one answer for every update, so it must be whole whichever fields were sent.
  ...findingChecks({ needs, writes, judge: judgeUpdates }, RECORDING_JUDGEMENTS),
  {
    id: 'recording-addressed',
    requirements: ['REC-21'],
    title: 'the recording answered is the one addressed',
    needs,
    writes: ['PATCH of the disposable recording: summary'],
    async run(session) {
      const alone = await answersToEachField(session);
      const answer = alone.find(({ answer }) => isSuccess(answer))?.answer;
      if (!answer) throw blocked('recording-update-summary', 'No update succeeded');
      const record = recordingOf(answer);
      const expected = session.resource('recordingId');
      if (!sameId(String(record.id), expected))
        throw violation('The update answered another recording.', expected, record.id);
    },
  },
];
