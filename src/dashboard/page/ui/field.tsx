import { useId } from 'preact/hooks';
import { type Detail, sentence } from '../api/failure.ts';

/** What a field shows. */
export interface FieldDescription {
  readonly label: string;
  readonly kind?: 'text' | 'number' | 'search' | 'password' | 'area' | 'choice' | undefined;
  readonly hint?: string | undefined;
  readonly placeholder?: string | undefined;
  readonly required?: boolean | undefined;
  /** The values to choose from, or the suggestions for a text. */
  readonly options?: readonly string[] | undefined;
  /** Texts shown for options, where not the values themselves. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Text of a choice's empty option, which it has only then. */
  readonly blank?: string | undefined;
}

interface FieldProps extends FieldDescription {
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** What the server found wrong with it. */
  readonly error?: Detail | undefined;
}

/** A labelled input, with its hint or what is wrong with it below. */
export function Field(props: FieldProps) {
  const {
    label,
    kind = 'text',
    hint,
    placeholder,
    required,
    options = [],
    labels,
    blank,
    value,
    onInput,
    error,
  } = props;
  const id = useId();
  const list = options.length > 0 ? `${id}-options` : undefined;
  const input = {
    id,
    value,
    placeholder,
    required,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': error || hint ? `${id}-note` : undefined,
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onInput(currentTarget.value),
  };
  const shownOptions = options.map((option) => (
    <option key={option} value={option}>
      {labels?.[option] ?? option}
    </option>
  ));
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {kind === 'choice' && (
        <select {...input}>
          {blank !== undefined && <option value="">{blank}</option>}
          {shownOptions}
        </select>
      )}
      {kind === 'area' && (
        <textarea {...input} rows={Math.min(12, Math.max(3, value.split('\n').length))} spellcheck={false} />
      )}
      {kind !== 'choice' && kind !== 'area' && (
        <>
          {/* The attributes' types depend on `type`; the attributes used here are valid for each. */}
          <input {...input} type={kind as 'text'} step="any" list={list} autocomplete="off" spellcheck={false} />
          {list && <datalist id={list}>{shownOptions}</datalist>}
        </>
      )}
      {error ? (
        <p id={`${id}-note`} class="error small" role="alert">
          {sentence(error.message)}
          {error.allowed && ` Allowed: ${error.allowed}.`}
        </p>
      ) : (
        hint && (
          <p id={`${id}-note`} class="muted small">
            {hint}
          </p>
        )
      )}
    </div>
  );
}

interface CheckboxProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onInput: (checked: boolean) => void;
}

/** A labelled checkbox. */
export const Checkbox = ({ label, checked, onInput }: CheckboxProps) => (
  <label class="row small checkbox">
    <input type="checkbox" checked={checked} onInput={(event) => onInput(event.currentTarget.checked)} />
    {label}
  </label>
);
