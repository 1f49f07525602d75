import { asText, memberOf } from '../../../contract-tests/values/json.ts';
import type { Answers } from '../profiles/answers.ts';
import type { GapId } from '../spec/gaps.ts';
import type { CustomRecord } from './records.ts';
import type { StoreImage } from './store.ts';

type VocabularyGap = Extract<GapId, `${string}-values`>;

const fieldsOf = {
  recordings: { method: 'method-values', quality: 'quality-values', language: 'language-values' },
  apiKeys: { provider: 'provider-values', status: 'key-status-values' },
} as const;

/** Gaps whose answers are vocabularies of record fields. */
export const vocabularyGaps: readonly VocabularyGap[] = Object.values(fieldsOf).flatMap((fields) =>
  Object.values<VocabularyGap>(fields),
);

/** The value at a 1-based position of a vocabulary, wrapping around. */
const valueAt = (values: readonly string[], position: number): string => values[(position - 1) % values.length] ?? '';

/** The fields of a record that are words of vocabularies: at 1-based positions, the first one unless given. */
export const wordsOf = <Table extends keyof typeof fieldsOf>(table: Table, positions: object, answers: Answers) =>
  Object.fromEntries(
    Object.entries<VocabularyGap>(fieldsOf[table]).map(([field, gap]) => [
      field,
      valueAt(answers.get(gap), memberOf(positions as Readonly<Record<string, number>>, field) ?? 1),
    ]),
  ) as Record<keyof (typeof fieldsOf)[Table], string>;

/** Translates changed records to the vocabularies of other answers, by position. For the others, the seed layer is rebuilt. */
export function moveVocabularies(store: StoreImage, from: Answers, to: Answers): StoreImage {
  if (vocabularyGaps.every((gap) => JSON.stringify(from.get(gap)) === JSON.stringify(to.get(gap)))) return store;
  const word = (gap: VocabularyGap, value: unknown): string => {
    const values: readonly string[] = to.get(gap);
    const position = (from.get(gap) as readonly unknown[]).indexOf(value);
    return values.includes(asText(value)) && position < 0 ? asText(value) : valueAt(values, Math.max(position, 0) + 1);
  };
  const moved = (record: CustomRecord, fields: Readonly<Record<string, VocabularyGap>>): CustomRecord => ({
    ...record,
    ...Object.fromEntries(Object.entries(fields).map(([field, gap]) => [field, word(gap, memberOf(record, field))])),
  });
  return new Map(
    Array.from(store, ([table, changes]) => {
      const fields = Object.hasOwn(fieldsOf, table) ? fieldsOf[table as keyof typeof fieldsOf] : {};
      return [table, new Map(Array.from(changes, ([id, record]) => [id, record && moved(record, fields)]))];
    }),
  );
}
