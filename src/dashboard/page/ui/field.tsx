import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { type Detail, sentence } from '../api/failure.ts';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly type?: 'text' | 'number' | 'search' | 'password' | 'area';
  readonly hint?: string | undefined;
  /** What the server found wrong with it. */
  readonly wrong?: Detail | undefined;
  readonly placeholder?: string | undefined;
  readonly required?: boolean | undefined;
  readonly options?: readonly string[] | undefined;
  readonly step?: string;
}

/** A labelled input, with what was found wrong below it. */
export function Field({
  label,
  value,
  onInput,
  type = 'text',
  hint,
  wrong,
  placeholder,
  required,
  options,
  step = 'any',
}: FieldProps) {
  const id = useId();
  const shared = {
    id,
    value,
    placeholder,
    required,
    'aria-invalid': wrong ? true : undefined,
    'aria-describedby': wrong || hint ? `${id}-note` : undefined,
    onInput: (event: Event) => onInput((event.currentTarget as HTMLInputElement).value),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {type === 'area' ? (
        <textarea {...shared} rows={Math.min(12, Math.max(3, value.split('\n').length))} spellcheck={false} />
      ) : (
        <Input type={type} step={step} list={options && `${id}-list`} shared={shared} />
      )}
      {options && (
        <datalist id={`${id}-list`}>
          {options.map((option) => (
            <option key={option} value={option} />
          ))}
        </datalist>
      )}
      <Note id={`${id}-note`} hint={hint} wrong={wrong} />
    </div>
  );
}

interface InputProps {
  readonly type: 'text' | 'number' | 'search' | 'password';
  readonly step: string;
  readonly list: string | undefined;
  readonly shared: object;
}

function Input({ type, step, list, shared }: InputProps) {
  const plain = { ...shared, autocomplete: 'off', spellcheck: false } as const;
  if (type === 'number') return <input {...plain} type="number" step={step} />;
  if (type === 'password') return <input {...plain} type="password" />;
  if (type === 'search') return <input {...plain} type="search" />;
  return <input {...plain} type="text" list={list} />;
}

function Note({
  id,
  hint,
  wrong,
}: {
  readonly id: string;
  readonly hint: string | undefined;
  readonly wrong: Detail | undefined;
}) {
  if (wrong)
    return (
      <p id={id} class="wrong" role="alert">
        {sentence(wrong.message)}
        {wrong.allowed && ` Allowed: ${wrong.allowed}.`}
      </p>
    );
  return hint ? (
    <p id={id} class="muted hint">
      {hint}
    </p>
  ) : null;
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly children: ComponentChildren;
  readonly wrong?: Detail | undefined;
  readonly hint?: string | undefined;
}

/** A labelled choice. */
export function Select({ label, value, onInput, children, wrong, hint }: SelectProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        aria-invalid={wrong ? true : undefined}
        aria-describedby={wrong || hint ? `${id}-note` : undefined}
        onInput={(event) => onInput(event.currentTarget.value)}
      >
        {children}
      </select>
      <Note id={`${id}-note`} hint={hint} wrong={wrong} />
    </div>
  );
}

/** A labelled box to tick. */
export function Tick({
  label,
  checked,
  onInput,
}: {
  readonly label: string;
  readonly checked: boolean;
  readonly onInput: (on: boolean) => void;
}) {
  return (
    <label class="tick">
      <input type="checkbox" checked={checked} onInput={(event) => onInput(event.currentTarget.checked)} />
      {label}
    </label>
  );
}
