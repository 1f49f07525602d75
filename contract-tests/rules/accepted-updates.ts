import { WRITABLE_FIELDS } from '../api/records.ts';
import { type Entry, isOk, type Log, sentObject } from '../log/entry.ts';
import { describe } from '../values/answer.ts';
import { describeSent, isUpdate } from './documented.ts';
import { isAccepted, unnamedIn } from './made-up.ts';
import { answerOf, type Judged, of, open, type Rule, shown, violated } from './rule.ts';
import { fieldsSent, isGenuine } from './updates-in-order.ts';

/** Which updates must be accepted: of each field alone, of all, and of some together (4.2). */

const FIELD_REQUIREMENTS: Record<string, string> = {
  title: 'REC-01',
  kb_folder_id: 'REC-02',
  kb_document_id: 'REC-03',
  summary: 'REC-04',
  analysis: 'REC-05',
};

/** The rule that accepts an update of these fields: of one alone, of all five, or of some. */
function acceptRuleOf(fields: readonly string[]): string {
  if (fields.length === 1) return `recording-update-${(fields[0] ?? '').replaceAll('_', '-')}`;
  return fields.length === Object.keys(WRITABLE_FIELDS).length ? 'recording-update-all' : 'recording-update-some';
}

/** Limits of texts are not shown, so in traffic of others only everyday ones must be taken. */
const EVERYDAY: Record<string, RegExp> = {
  title: /^[\p{L}\p{N}\p{P} ]{3,50}$/u,
  summary: /^[\p{L}\p{N}\p{P} ]{20,200}$/u,
};

const isText = (part: string): boolean => ['title', 'summary', 'analysis'].includes(part);

/** Whether its texts are short and have characters that can be seen only: a service may fail to store others. */
const isPrintable = (entry: Entry): boolean =>
  Object.values(sentObject(entry)).every(
    (value) => typeof value !== 'string' || /^[\p{L}\p{M}\p{N}\p{P}\p{S} \n]{1,100}$/u.test(value),
  );

/** Whether nothing in an update may be refused: by the plan, else by its values. */
function isMild(entry: Entry, log: Log): boolean {
  if (entry.asked) return entry.asked.odd.length === 0;
  return Object.entries(sentObject(entry)).every(([field, value]) => {
    const everyday = EVERYDAY[field];
    return everyday ? everyday.test(String(value)) : isAccepted(log, field, value);
  });
}

function acceptRule(id: string, requirements: string[], title: string): Rule {
  return {
    id,
    requirements,
    title,
    judge(log) {
      const updates = of(log, 'recording').filter(
        (entry) => isGenuine(entry) && entry.hasRequestBody && isUpdate(entry) && entry.credential.kind !== 'masked',
      );
      return updates
        .filter((entry) => acceptRuleOf(Object.keys(sentObject(entry))) === id)
        .flatMap((entry) => judgeAccepted(entry, updates, log));
    },
  };
}

/** Whether an update was accepted; a refusal counts where the same caller may update the same recording otherwise. */
function judgeAccepted(entry: Entry, updates: readonly Entry[], log: Log): Judged {
  if (isOk(entry)) return shown(entry);
  const { status } = entry.answer.response;
  if (status === 401 || status === 429) return [];
  const fields = fieldsSent(entry);
  // What is inside of an analysis or a text may be refused, but must not fail.
  const isFailure = status >= 500 && entry.asked !== undefined && isPrintable(entry) && entry.asked.odd.every(isText);
  if (!isMild(entry, log) && !isFailure)
    return open(`an update of ${fields} was answered ${describe(entry.answer)}, and its values may be why`);
  const isSame = (other: Entry): boolean =>
    other.resource === entry.resource && other.credential.token === entry.credential.token;
  const control = updates.findLast((other) => isOk(other) && isSame(other));
  const anyControl = control ?? updates.find((other) => isOk(other) && other.resource === entry.resource);
  if (status < 500 && [403, 404].includes(status) && !control) return [];
  if (log.isPartial && (!control || updates.some((other) => isOk(other) && fieldsSent(other) === fields))) return [];
  const unnamed = unnamedIn(entry, log);
  if (unnamed.length > 0 && !isFailure)
    return open(
      `an update of ${fields} was answered ${describe(entry.answer)}: its values are made up, and may have to exist or to have a shape of their own; name good ones in ${unnamed.join(' and ')}`,
    );
  if (!anyControl && status < 500 && [403, 404].includes(status)) return [];
  return violated({
    ...(isFailure && entry.asked?.odd.includes('analysis') ? { requirement: 'REC-05' } : {}),
    message: `${describeSent(entry)} ${isFailure ? 'fails' : 'is refused'}${anyControl ? ', and another update of the recording is accepted' : ''}.`,
    expected: 'a success (2xx)',
    actual: answerOf(entry),
    by: [...(anyControl ? [anyControl] : []), entry],
  });
}

export const acceptRules: Rule[] = [
  ...Object.keys(WRITABLE_FIELDS).map((field) =>
    acceptRule(
      acceptRuleOf([field]),
      [FIELD_REQUIREMENTS[field] ?? '', ...(field === 'title' ? ['GEN-02'] : [])],
      `the update accepts ${field} alone${field === 'analysis' ? ', an object' : ''}`,
    ),
  ),
  acceptRule('recording-update-all', ['REC-06'], 'the update accepts all five fields together'),
  acceptRule('recording-update-some', ['REC-06'], 'the update accepts two, three and four of the five fields together'),
];
