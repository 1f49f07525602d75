import type { Answers } from '../profiles/answers.ts';
import type { GapId } from '../spec/gaps.ts';
import type { ApiKey, Recording } from './records.ts';
import type { Store, TableName } from './store.ts';

type VocabularyGap = Extract<GapId, `${string}-values`>;

const ofRecordings = { method: 'method-values', quality: 'quality-values', language: 'language-values' } as const;
const ofApiKeys = { provider: 'provider-values', status: 'key-status-values' } as const;

const fieldsOf: Partial<Record<TableName, Readonly<Record<string, VocabularyGap>>>> = {
  recordings: ofRecordings,
  apiKeys: ofApiKeys,
};

/** Gaps whose answers are vocabularies of record fields. */
export const vocabularyGaps: readonly VocabularyGap[] = [...Object.values(ofRecordings), ...Object.values(ofApiKeys)];

/** The value at a 1-based position of a vocabulary, wrapping around. */
export const valueAt = (values: readonly string[], position: number): string =>
  values[(position - 1) % values.length] ?? '';

/** Translates changed records to the vocabularies of other answers, by position. For the others, the seed layer is rebuilt. */
export function moveVocabularies(store: Store, from: Answers, to: Answers): void {
  const moved = vocabularyGaps.filter((gap) => JSON.stringify(from.get(gap)) !== JSON.stringify(to.get(gap)));
  if (moved.length === 0) return;
  for (const record of [...store.recordings.changedRecords()])
    store.recordings.put(moveWords('recordings', record, from, to) as Recording);
  for (const key of [...store.apiKeys.changedRecords()])
    store.apiKeys.put(moveWords('apiKeys', key, from, to) as ApiKey);
}

/** A record of that table in the vocabularies of other answers. */
export function moveWords(table: TableName, record: object, from: Answers, to: Answers): object {
  const fields = fieldsOf[table];
  if (!fields) return record;
  const word = (gap: VocabularyGap, value: string): string => {
    const values: readonly string[] = to.get(gap);
    const position = (from.get(gap) as readonly string[]).indexOf(value);
    return values.includes(value) && position < 0 ? value : valueAt(values, Math.max(position, 0) + 1);
  };
  return {
    ...record,
    ...Object.fromEntries(
      Object.entries(fields).map(([field, gap]) => [field, word(gap, String(record[field as keyof typeof record]))]),
    ),
  };
}
