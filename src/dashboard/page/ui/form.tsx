import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { memberOf } from '../../../../contract-tests/values/json.ts';
import { guardEdits } from '../address.ts';
import { call, type InputOf, type OperationName, type OutputOf } from '../api/document.ts';
import type { Detail } from '../api/failure.ts';
import { mayAct, useAction } from './action.tsx';
import { Button } from './button.tsx';
import { type FormField, type Looks, operationFields, parseInput, textOf, type Values } from './fields.ts';
import { FailureNote } from './parts.tsx';
import { sentence } from './text.ts';

interface FieldProps extends Omit<FormField, 'name'> {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly error?: Detail | undefined;
}

function Field({ label, kind = 'text', hint, blank, value, onInput, error, ...rest }: FieldProps) {
  const { placeholder, required, options = [], labels } = rest;
  const id = useId();
  const list = options.length > 0 ? `${id}-options` : undefined;
  const note = error ? `${sentence(error.message)}${error.allowed ? ` Allowed: ${error.allowed}.` : ''}` : hint;
  const input = {
    id,
    value,
    placeholder,
    required,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': note ? `${id}-note` : undefined,
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onInput(currentTarget.value),
  };
  if (kind === 'checks')
    return (
      <fieldset class="row" aria-label={label}>
        {label}
        <Checks options={options} checked={value.split(' ')} onChange={(checked) => onInput(checked.join(' '))} />
      </fieldset>
    );
  const shownOptions = options.map((option) => (
    <option key={option} value={option}>
      {memberOf(labels, option) ?? option}
    </option>
  ));
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {note && (
        <p id={`${id}-note`} class={`small ${error ? 'error' : 'muted'}`} role={error && 'alert'}>
          {note}
        </p>
      )}
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
    </div>
  );
}

interface CheckProps {
  readonly text: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

export const Check = ({ text, checked, onChange }: CheckProps) => (
  <label class="row small check">
    <input type="checkbox" checked={checked} onInput={({ currentTarget }) => onChange(currentTarget.checked)} />
    {text}
  </label>
);

interface ChecksProps {
  readonly options: readonly string[];
  readonly checked: readonly string[];
  readonly onChange: (checked: string[], changed: string) => void;
}

export const Checks = ({ options, checked, onChange }: ChecksProps) => (
  <>
    {options.map((option) => (
      <Check
        key={option}
        text={option}
        checked={checked.includes(option)}
        onChange={(isOn) =>
          onChange(
            options.filter((each) => (each === option ? isOn : checked.includes(each))),
            option,
          )
        }
      />
    ))}
  </>
);

interface FormProps<Body> {
  readonly fields: readonly FormField[];
  /** Submits the form; `pressed` is the value of the button used. Returns the message to announce. */
  readonly act: (body: Body, pressed: string) => Promise<unknown>;
  /** Makes the body from the fields entered; by default, of every field that is not empty. */
  readonly read?: (values: Values) => Body;
  readonly clears?: readonly string[];
  readonly submit: string;
  readonly kind?: 'plain' | 'primary' | 'danger';
  /** It cannot be undone: asks before. */
  readonly asks?: boolean;
  /** Another submit button: its value and its text. */
  readonly other?: readonly [value: string, text: string];
  /** `inline`: the button is on the line of the fields. `grid`: many fields in columns. */
  readonly layout?: 'inline' | 'grid';
  /** Asks before what is entered and not submitted is lost. */
  readonly isGuarded?: boolean;
  readonly children?: ComponentChildren;
}

export function Form<Body>(props: FormProps<Body>) {
  const { fields, act, read, clears = [], submit, kind, asks = false, other, layout, isGuarded, children } = props;
  const [entered, setEntered] = useState<Values>({});
  const element = useRef<HTMLFormElement>(null);
  const values: Values = Object.fromEntries(
    fields.map(({ name, initial = '' }) => [name, memberOf(entered, name) ?? initial]),
  );
  const shown = fields.filter(({ when }) => when?.(values) ?? true);
  // The fields come from the document of which Body is the type.
  const bodyOf = () =>
    Object.fromEntries(
      shown
        .map((field) => [field.name, parseInput(field, (memberOf(values, field.name) ?? '').trim())] as const)
        .filter(([, value]) => value !== undefined),
    ) as Body;
  const { run, busy, failure } = useAction(async (pressed: string) => {
    const message = await act(read ? read(values) : bodyOf(), pressed);
    setEntered((latest) => Object.fromEntries(Object.entries(latest).filter(([name]) => !clears.includes(name))));
    return message;
  });
  const isChanged = useRef(false);
  isChanged.current = fields.some(({ name, initial = '' }) => memberOf(values, name) !== initial);
  useEffect(() => (isGuarded ? guardEdits(() => isChanged.current) : undefined), [isGuarded]);
  useEffect(() => {
    // On a small screen the invalid field may be out of sight.
    if (failure) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [failure]);
  const buttons = (
    <div class="row buttons">
      <Button text={submit} type="submit" kind={kind} busy={busy} />
      {other && <Button text={other[1]} type="submit" value={other[0]} busy={busy} />}
      {children}
    </div>
  );
  return (
    <form
      ref={element}
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (mayAct(submit, asks)) void run((event.submitter as HTMLButtonElement | null)?.value ?? '');
      }}
    >
      <div class={layout === 'grid' ? 'columns fields' : 'row fields'}>
        {shown.map((field) => (
          <Field
            key={field.name}
            {...field}
            value={memberOf(values, field.name) ?? ''}
            onInput={(text) => setEntered((latest) => ({ ...latest, [field.name]: text }))}
            error={failure?.detailOf(field.name)}
          />
        ))}
        {layout === 'inline' && buttons}
      </div>
      <FailureNote failure={failure} shown={shown.map(({ name }) => name)} />
      {layout !== 'inline' && buttons}
    </form>
  );
}

interface OperationFormProps<O extends OperationName> extends Omit<FormProps<InputOf<O>>, 'fields' | 'act' | 'read'> {
  readonly of: O;
  readonly looks: Looks<O>;
  /** The values that the fields begin with. */
  readonly initial?: Readonly<Record<string, unknown>>;
  /** What is sent besides what is entered. */
  readonly given?: Partial<InputOf<O>>;
  /** The message that reports it. */
  readonly done: (result: Awaited<OutputOf<O>>) => string;
}

/** The form of an operation of the control plane: its fields are those of the document. */
export const OperationForm = <O extends OperationName>(props: OperationFormProps<O>) => {
  const { of, looks, initial, given, done, ...rest } = props;
  const fields = operationFields(of, looks);
  const filled = fields.map((field) => ({ ...field, initial: textOf(field, memberOf(initial, field.name)) }));
  const act = async (entered: InputOf<O>) => done(await call(of, { ...given, ...entered }));
  return <Form {...rest} fields={initial ? filled : fields} act={act} />;
};

interface FiltersProps {
  readonly fields: readonly FormField[];
  readonly values: Values;
  readonly onChange: (values: Values) => void;
  /** What the filters leave and what they hide, in words. */
  readonly shown?: ComponentChildren;
  readonly children?: ComponentChildren;
}

export function Filters({ fields, values, onChange, shown, children }: FiltersProps) {
  const set = fields.filter(({ name }) => memberOf(values, name));
  return (
    <search class="stack filters">
      <div class="row fields">
        {fields.map((field) => (
          <Field
            key={field.name}
            {...field}
            value={memberOf(values, field.name) ?? ''}
            onInput={(text) => onChange({ ...values, [field.name]: text })}
          />
        ))}
        {children}
      </div>
      {shown && (
        <p class="row small muted">
          {shown}
          {set.length > 0 && (
            <Button
              text="Clear filters"
              kind="inline"
              onClick={() => onChange(Object.fromEntries(fields.map(({ name }) => [name, ''])))}
            />
          )}
        </p>
      )}
    </search>
  );
}
