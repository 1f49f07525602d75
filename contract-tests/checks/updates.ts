import type { Answer } from '../target/request.ts';
import type { Session } from '../target/session.ts';
import { describe, jsonOf } from './answers.ts';
import { FIELD_NAMES, isRecording, RECORDING_FIELDS } from './fields.ts';
import { type Finding, fieldFindings } from './findings.ts';
import { isObject, parseJson, sameId, show } from './formats.ts';

/** Everything that the answer to an update says otherwise than 4.2 and part 2 do. */
export function updateFindings(subject: string, answer: Answer, session: Session): Finding[] {
  const record = jsonOf(answer);
  const answers = [answer];
  if (!isRecording(record)) {
    return [
      {
        requirement: 'REC-07',
        message: `${subject} answered no recording.`,
        expected: `an object with ${FIELD_NAMES.join(', ')}`,
        actual: `${describe(answer)}: ${show(answer.response.body)}`,
        answers,
      },
    ];
  }
  const findings = fieldFindings(`The recording answered to ${subject}`, record, RECORDING_FIELDS, answer);
  const addressed = session.resource('recordingId');
  if (typeof record.id === 'string' && !sameId(record.id, addressed)) {
    findings.push({
      requirement: 'REC-21',
      message: `${subject} answered another recording.`,
      expected: addressed,
      actual: record.id,
      answers,
    });
  }
  const sent = parseJson(answer.request.body ?? '');
  if (isObject(sent) && 'title' in sent && typeof record.title === 'string' && record.title !== sent.title) {
    findings.push({
      requirement: 'REC-22',
      message: `${subject} answered another title than was sent.`,
      expected: sent.title,
      actual: record.title,
      answers,
    });
  }
  return findings;
}
