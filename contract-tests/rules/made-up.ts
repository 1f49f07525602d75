import { type Entry, isOk, type Log, sentObject } from '../log/entry.ts';
import { of, perLog } from './rule.ts';

/** Fields whose values a service may look up or validate (4.2 says neither), and where the target file gives valid ones. */
const NAMED: Readonly<Record<string, string>> = {
  kb_folder_id: 'kbFolderId',
  kb_document_id: 'kbDocumentId',
  analysis: 'analysis',
};

const keyOf = (field: string, value: unknown): string => `${field} ${JSON.stringify(value)}`;

/** The values of fields that some update of the log wrote. */
const acceptedIn = perLog(
  (log): ReadonlySet<string> =>
    new Set(
      of(log, 'recording')
        .filter((entry) => isOk(entry) && entry.hasRequestBody)
        .flatMap((entry) => Object.entries(sentObject(entry)).map(([field, value]) => keyOf(field, value))),
    ),
);

/** Whether an update of the log wrote this value. */
export const isAccepted = (log: Log, field: string, value: unknown): boolean =>
  acceptedIn(log).has(keyOf(field, value));

/** The members of `resources` that would tell values to be good which an update made up, and which were accepted nowhere. */
export const unnamedIn = (entry: Entry, log: Log): string[] =>
  Object.entries(sentObject(entry)).flatMap(([field, value]) => {
    const name = NAMED[field];
    const isNamed = name !== undefined && JSON.stringify(log.resources?.[name]) === JSON.stringify(value);
    return name === undefined || isNamed || isAccepted(log, field, value) ? [] : [`resources.${name}`];
  });
