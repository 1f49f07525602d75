import { WRITABLE_FIELDS } from '../api/records.ts';
import { type Entry, isOk, type Log, sentObject, statusOf } from '../log/entry.ts';
import { describe } from '../values/answer.ts';
import { describeSent, fieldsSent, isUpdate } from './documented.ts';
import { isOdd, type Judged, of, open, perLog, type Rule, refused, shown } from './rule.ts';

/** Which updates must be accepted: of each field alone, of all, and of some together (4.2). */

/** Members of `resources` that name valid values of fields that a service may look up or validate (4.2 says neither). */
const NAMED: Readonly<Record<string, string>> = {
  kb_folder_id: 'kbFolderId',
  kb_document_id: 'kbDocumentId',
  analysis: 'analysis',
};

const keyOf = (field: string, value: unknown): string => `${field} ${JSON.stringify(value)}`;

/** The values of fields that some update of the log wrote. */
const acceptedIn = perLog((log): ReadonlySet<string> => {
  const updates = of(log, 'recording').filter((entry) => isOk(entry) && entry.hasRequestBody);
  return new Set(
    updates.flatMap((entry) => Object.entries(sentObject(entry)).map(([field, value]) => keyOf(field, value))),
  );
});

/** The members of `resources` that would tell values to be good which an update made up, and which were accepted nowhere. */
export const unnamedIn = (entry: Entry, log: Log): string[] =>
  Object.entries(sentObject(entry)).flatMap(([field, value]) => {
    const name = NAMED[field];
    const isNamed = name !== undefined && JSON.stringify(log.resources?.[name]) === JSON.stringify(value);
    return name === undefined || isNamed || acceptedIn(log).has(keyOf(field, value)) ? [] : [`resources.${name}`];
  });

/** Limits of texts are not shown, so in traffic of others only everyday ones must be taken. */
const EVERYDAY: Record<string, RegExp> = {
  title: /^[\p{L}\p{N}\p{P} ]{3,50}$/u,
  summary: /^[\p{L}\p{N}\p{P} ]{20,200}$/u,
};

/** Whether nothing in an update may be refused: by the plan, else by its values. */
const isMildUpdate = (entry: Entry, log: Log): boolean =>
  entry.asked
    ? !isOdd(entry)
    : Object.entries(sentObject(entry)).every(
        ([field, value]) => EVERYDAY[field]?.test(String(value)) ?? acceptedIn(log).has(keyOf(field, value)),
      );

/** Short texts whose characters can all be seen: a service may fail to store others. */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} \n]{0,100}$/u;

/** Whether a service fails on an update of texts that it may refuse, but must not fail on. */
const isFailure = (entry: Entry): boolean =>
  statusOf(entry) >= 500 &&
  entry.asked !== undefined &&
  entry.asked.odd.every((part) => ['title', 'summary', 'analysis'].includes(part)) &&
  Object.values(sentObject(entry)).every((value) => typeof value !== 'string' || PRINTABLE.test(value));

/** Whether an update was accepted; a refusal counts where the same caller may update the same recording otherwise. */
function judgeAccepted(entry: Entry, updates: readonly Entry[], log: Log): Judged {
  if (isOk(entry)) return shown(entry);
  const status = statusOf(entry);
  if (status === 401 || status === 429) return [];
  const fields = fieldsSent(entry);
  const fails = isFailure(entry);
  const what = `an update of ${fields} was answered ${describe(entry.answer)}`;
  if (!isMildUpdate(entry, log) && !fails) return open(`${what}, and its values may be why`);
  const accepted = updates.filter((other) => isOk(other) && other.resource === entry.resource);
  const own = accepted.findLast(({ credential }) => credential.token === entry.credential.token);
  const control = own ?? accepted[0];
  if ([403, 404].includes(status) && !own) return [];
  if (log.isPartial && (!own || updates.some((other) => isOk(other) && fieldsSent(other) === fields))) return [];
  const unnamed = unnamedIn(entry, log);
  if (unnamed.length > 0 && !fails)
    return open(
      `${what}: its values are made up, and may have to exist or to have a shape of their own; name good ones in ${unnamed.join(' and ')}`,
    );
  const message = `${describeSent(entry)} ${fails ? 'fails' : 'is refused'}${control ? ', and another update of the recording is accepted' : ''}.`;
  return {
    ...refused(message, entry, control),
    ...(fails && entry.asked?.odd.includes('analysis') ? { requirement: 'REC-05' } : {}),
  };
}

const acceptRule = (
  name: string,
  requirements: string[],
  title: string,
  isOf: (fields: readonly string[]) => boolean,
): Rule => ({
  id: `recording-update-${name.replaceAll('_', '-')}`,
  requirements,
  title: `the update accepts ${title}`,
  judge(log) {
    const updates = of(log, 'recording').filter(
      (entry) =>
        !entry.credential.flaw && entry.credential.kind !== 'masked' && entry.hasRequestBody && isUpdate(entry),
    );
    return updates
      .filter((entry) => isOf(Object.keys(sentObject(entry))))
      .flatMap((entry) => judgeAccepted(entry, updates, log));
  },
});

const FIELDS = Object.keys(WRITABLE_FIELDS);

export const acceptRules: readonly Rule[] = [
  ...FIELDS.map((field, at) =>
    acceptRule(
      field,
      [`REC-0${at + 1}`, ...(field === 'title' ? ['GEN-02'] : [])],
      `${field} alone${field === 'analysis' ? ', an object' : ''}`,
      (sent) => sent.length === 1 && sent[0] === field,
    ),
  ),
  acceptRule('all', ['REC-06'], 'all five fields together', (sent) => sent.length === FIELDS.length),
  acceptRule(
    'some',
    ['REC-06'],
    'two, three and four of the five fields together',
    (sent) => sent.length > 1 && sent.length < FIELDS.length,
  ),
];
