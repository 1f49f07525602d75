import { control, unwrap } from '../../api/client.ts';
import { type FormField, textOf } from '../../ui/form-field.ts';
import type { SchemaField } from '../../ui/schema-fields.ts';
import type { RecordData } from './resources.ts';

/** Longer texts get an area. */
const lineLength = 80;

/** The answers in force, by gap. */
export async function gapAnswers(): Promise<ReadonlyMap<string, unknown>> {
  const { gaps } = await unwrap(control.GET('/profile'));
  return new Map(gaps.map(({ id, answer }) => [id, answer]));
}

/** The values that the profile allows in the field, where its description names the gap that lists them. */
function suggestionsFor({ description = '' }: SchemaField, answers: ReadonlyMap<string, unknown> | undefined) {
  const [, gap = ''] = /\(gap ([a-z-]+)\)/.exec(description) ?? [];
  const answer = answers?.get(gap);
  return Array.isArray(answer) ? answer.map(String) : undefined;
}

/** A field of a record as its form shows it. Without a record, it is a new one's. */
export function editorField(
  field: SchemaField,
  record: RecordData | undefined,
  answers: ReadonlyMap<string, unknown> | undefined,
): FormField {
  const { kind, options, description, required } = field;
  const initial = textOf(field, record?.[field.name]);
  return {
    ...field,
    // The server fills in what a new record lacks.
    required: false,
    initial,
    kind: kind === 'text' && (initial.includes('\n') || initial.length > lineLength) ? 'area' : kind,
    options: options ?? suggestionsFor(field, answers),
    hint: record && !required ? [description, 'Leave empty to remove it.'].filter(Boolean).join(' ') : description,
    placeholder: record ? undefined : 'generated',
    blank: record ? (initial === '' ? '' : undefined) : 'generated',
  };
}
