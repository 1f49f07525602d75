import { FIELD_NAMES, isRecording } from '../session/records.ts';
import { type Answer, describe, jsonOf } from '../wire/exchange.ts';
import { isObject, parseJson, show } from '../wire/json.ts';
import { fieldFindings } from './field-rules.ts';
import type { Finding } from './findings.ts';
import { sameId } from './formats.ts';
import { mustBeKept } from './title-texts.ts';

/** Titles that two updates write at once: each of them may be answered with either. */
export const RIVALS: readonly string[] = ['One of two titles at once', 'The other of two titles at once'];

const isOfRivals = (...titles: unknown[]): boolean => titles.every((title) => RIVALS.includes(String(title)));

/** The id of the recording that an update addresses (4.2). */
export function addressedBy({ request }: Answer): string {
  return decodeURIComponent(new URL(request.url).pathname.split('/').at(-1) ?? '');
}

/** Everything that the answer to an update says otherwise than 4.2 and part 2 do. */
export function updateFindings(subject: string, answer: Answer): Finding[] {
  const record = jsonOf(answer);
  const answers = [answer];
  if (!isRecording(record)) {
    return [
      {
        requirement: 'REC-07',
        message: `${subject} did not answer a recording.`,
        expected: `an object with ${FIELD_NAMES.join(', ')}`,
        actual: `${describe(answer)}: ${show(answer.response.body)}`,
        answers,
        isWhole: true,
      },
    ];
  }
  const findings = fieldFindings(`The recording answered to ${subject}`, 'Recording', record, answer);
  const addressed = addressedBy(answer);
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
  if (
    isObject(sent) &&
    mustBeKept(sent.title) &&
    typeof record.title === 'string' &&
    record.title !== sent.title &&
    !isOfRivals(record.title, sent.title)
  ) {
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
