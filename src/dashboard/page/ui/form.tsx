import type { ComponentChildren, TargetedSubmitEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Failure } from '../api/failure.ts';
import { useChange } from './action.ts';
import { Button } from './button.tsx';
import { FailureNote } from './failure-note.tsx';
import { Field } from './field.tsx';
import { type FormField, parseInput, type Values } from './form-field.ts';

interface FormOptions<Body> {
  readonly fields: readonly FormField[];
  /** Submits the form; `pressed` is the value of the button used. Returns the message to announce. */
  readonly act: (body: Body, pressed: string) => Promise<unknown>;
  /** Fields to empty after a successful submit. */
  readonly clears?: readonly string[];
  /** Makes the body of what was entered; by default, of every field that is not empty. */
  readonly read?: (values: Values) => Body;
}

/** The state of a form. */
export interface FormState {
  readonly fields: readonly FormField[];
  readonly values: Values;
  readonly set: (name: string, text: string) => void;
  readonly submit: (event: TargetedSubmitEvent<HTMLFormElement>) => void;
  readonly busy: boolean;
  readonly failure: Failure | undefined;
  /** Something was entered that is not submitted. */
  readonly isChanged: boolean;
}

/** Holds what is entered in a form, and submits it. */
export function useForm<Body>({ fields, act, clears = [], read }: FormOptions<Body>): FormState {
  const [entered, setEntered] = useState<Values>({});
  const values: Values = Object.fromEntries(fields.map(({ name, initial = '' }) => [name, entered[name] ?? initial]));
  const shown = fields.filter(({ when }) => when?.(values) ?? true);
  // The fields come from the document of which Body is the type.
  const bodyOf = () =>
    Object.fromEntries(
      shown
        .map((field) => [field.name, parseInput(field, (values[field.name] ?? '').trim())] as const)
        .filter(([, value]) => value !== undefined),
    ) as Body;
  const { run, busy, failure } = useChange(async (pressed: string) => {
    const message = await act(read ? read(values) : bodyOf(), pressed);
    setEntered((latest) => Object.fromEntries(Object.entries(latest).filter(([name]) => !clears.includes(name))));
    return message;
  });
  return {
    fields: shown,
    values,
    set: (name, text) => setEntered((latest) => ({ ...latest, [name]: text })),
    submit: (event) => {
      event.preventDefault();
      void run((event.submitter as HTMLButtonElement | null)?.value ?? '');
    },
    busy,
    failure,
    isChanged: fields.some(({ name, initial = '' }) => values[name] !== initial),
  };
}

interface FormProps {
  readonly form: FormState;
  /** Text of the submit button. */
  readonly submit: string;
  readonly kind?: 'plain' | 'primary';
  readonly disabled?: boolean;
  /** `inline`: the button stands beside the fields. `grid`: many fields in columns. */
  readonly layout?: 'inline' | 'grid';
  /** Above the fields. */
  readonly head?: ComponentChildren;
  /** Beside the button, or below an inline form. */
  readonly children?: ComponentChildren;
}

/** A form: its fields, its button, and why the last submit failed. */
export function Form({ form, submit, kind, disabled, layout, head, children }: FormProps) {
  const element = useRef<HTMLFormElement>(null);
  const { failure } = form;
  useEffect(() => {
    // On a small screen the invalid field may be out of sight.
    if (failure) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [failure]);
  const button = (
    <Button type="submit" kind={kind} busy={form.busy} disabled={disabled}>
      {submit}
    </Button>
  );
  return (
    <form ref={element} class="stack" onSubmit={form.submit}>
      {head}
      <div class={layout === 'grid' ? 'columns form-grid' : 'row fields'}>
        {form.fields.map((field) => (
          <Field
            key={field.name}
            {...field}
            value={form.values[field.name] ?? ''}
            onInput={(text) => form.set(field.name, text)}
            error={failure?.detailOf(field.name)}
          />
        ))}
        {layout === 'inline' && button}
      </div>
      <FailureNote failure={failure} shown={form.fields.map(({ name }) => name)} />
      {layout === 'inline' ? (
        children
      ) : (
        <div class="row">
          {button}
          {children}
        </div>
      )}
    </form>
  );
}
