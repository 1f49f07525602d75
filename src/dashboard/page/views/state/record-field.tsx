import { control, told } from '../../api/client.ts';
import type { Detail } from '../../api/failure.ts';
import { useLoad } from '../../api/hooks.ts';
import { Field, Select } from '../../ui/field.tsx';
import type { FieldPlan } from './fields.ts';
import { vocabularies } from './resources.ts';

interface RecordFieldProps {
  readonly plan: FieldPlan;
  readonly value: string;
  readonly onInput: (text: string) => void;
  readonly wrong: Detail | undefined;
  readonly isNew: boolean;
}

/** A field of a record, as its schema wants it entered. */
export function RecordField({
  plan: { name, kind, choices, hint, nullable, required },
  value,
  onInput,
  wrong,
  isNew,
}: RecordFieldProps) {
  const words = useLoad(() => wordsOf(name));
  const note =
    isNew || required
      ? hint
      : [hint, nullable ? 'Empty means null.' : 'Leave it empty to remove it.'].filter(Boolean).join(' ');
  if (kind === 'boolean' || kind === 'choice')
    return (
      <Select label={name} value={value} onInput={onInput} wrong={wrong} hint={note}>
        {(isNew || value === '') && <option value="">{isNew ? 'filled in' : ''}</option>}
        {(kind === 'boolean' ? ['true', 'false'] : choices).map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </Select>
    );
  const isLong = kind === 'json' || value.includes('\n') || value.length > 80;
  const type = kind === 'number' ? 'number' : isLong ? 'area' : 'text';
  return (
    <Field
      label={name}
      type={type}
      value={value}
      onInput={onInput}
      wrong={wrong}
      hint={note}
      options={words.data}
      placeholder={isNew ? 'filled in' : undefined}
    />
  );
}

/** What the profile in force lets stand in the field, where it lists that. */
async function wordsOf(field: string): Promise<string[] | undefined> {
  const gap = vocabularies[field];
  if (gap === undefined) return undefined;
  const { gaps } = await told(control.GET('/profile'));
  const answer: unknown = gaps.find(({ id }) => id === gap)?.answer;
  return Array.isArray(answer) ? answer.map(String) : undefined;
}
