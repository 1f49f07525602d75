import { isRecording, READ_ONLY_FIELDS } from '../session/records.ts';
import { type Answer, jsonOf } from '../wire/exchange.ts';
import { isObject, type JsonObject } from '../wire/json.ts';
import { holdsField, sameValue } from './field-rules.ts';
import type { Finding } from './findings.ts';
import { sameId, sameInstant } from './formats.ts';

/**
 * What a run saw of the same thing several times. Only what the document fixes counts: no update writes what is not
 * writable (part 2), and the claims of an identity say who it is (4.1). What somebody else may change meanwhile does not.
 */

/** Of a recording, whatever the service does with it meanwhile. */
const ALWAYS_KEPT = ['id', 'user_id', 'created_at'];
/** What processing may settle: kept only while the recording is completed. */
const KEPT_WHEN_COMPLETED = ['filename', 'diarization_enabled', 'method', 'quality', 'language'];

interface Kept {
  answer: Answer;
  record: JsonObject;
}

/** What changed in a recording between two updates of it, neither of which may have written it. */
export function recordingChanges(answers: readonly Answer[], subjectOf: (answer: Answer) => string): Finding[] {
  const changes = recordingWatch(subjectOf);
  return answers.flatMap(changes);
}

/** The same for answers that come one by one: what each of them changed. `lastOf` keeps the last answer of each recording. */
export function recordingWatch(
  subjectOf: (answer: Answer) => string,
  lastOf = new Map<string, Kept>(),
): (answer: Answer) => Finding[] {
  return (answer) => {
    const findings: Finding[] = [];
    const last = lastOf.get(answer.request.url);
    const record = jsonOf(answer);
    if (!isRecording(record)) return []; // judged by the check of every answer
    const isCompleted = last?.record.status === 'completed' && record.status === 'completed';
    for (const field of [...ALWAYS_KEPT, ...(isCompleted ? KEPT_WHEN_COMPLETED : [])]) {
      const before = last?.record[field];
      // A value of another format is judged by the check of every answer.
      if (!last || !holdsField('Recording', field, before) || !holdsField('Recording', field, record[field])) continue;
      if (sameValue(field, before, record[field])) continue;
      findings.push({
        requirement: 'REC-24',
        // A request in between may have written it, which the check of the field reports.
        related: [READ_ONLY_FIELDS[field] ?? '', ...(field === 'id' ? ['REC-21'] : [])],
        message: `Between two updates that did not send it, ${field} changed; the second one is ${subjectOf(answer)}.`,
        expected: { [field]: before },
        actual: { [field]: record[field] },
        answers: [last.answer, answer],
      });
    }
    lastOf.set(answer.request.url, { answer, record });
    return findings;
  };
}

/** What an identity's sign-ins say of when its user was made, and who that is, otherwise than the first one did. */
export function identityChanges(answers: readonly Answer[]): Finding[] {
  const changes = identityWatch();
  return answers.flatMap(changes);
}

/** The same for answers that come one by one. `first` keeps the first answer of each identity. */
export function identityWatch(first = new Map<string, Kept>()): (answer: Answer) => Finding[] {
  return (answer) => {
    const findings: Finding[] = [];
    const grant = jsonOf(answer);
    const user = isObject(grant) && isObject(grant.user) ? grant.user : undefined;
    if (!user) return []; // judged by the check of every answer
    const identity = answer.request.body ?? '';
    const before = first.get(identity);
    if (!before) {
      first.set(identity, { answer, record: user });
      return [];
    }
    const changed = (field: string, same: (a: unknown, b: unknown) => boolean): void => {
      const [was, is] = [before.record[field], user[field]];
      if (!holdsField('User', field, was) || !holdsField('User', field, is) || same(was, is)) return;
      findings.push({
        requirement: 'SSO-17',
        message: `The same identity signed in with another ${field} of the user than before.`,
        expected: { [field]: was },
        actual: { [field]: is },
        answers: [before.answer, answer],
      });
    };
    changed('id', sameId);
    changed('created_at', isSameCreation);
    return findings;
  };
}

/** Written to the second, without a fraction. */
const TO_THE_SECOND = /T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d(:?\d\d)?)?$/i;
const SECOND_MS = 1000;

/** A user that the first sign-in made may be answered as it was made, and later as it was stored: to the second. */
function isSameCreation(a: unknown, b: unknown): boolean {
  if (sameInstant(a, b)) return true;
  const [one, other] = [String(a), String(b)];
  if (TO_THE_SECOND.test(one) === TO_THE_SECOND.test(other)) return false;
  return Math.abs(Date.parse(one) - Date.parse(other)) < SECOND_MS;
}
