import { useEffect, useRef, useState } from 'preact/hooks';
import { control, told } from '../../api/client.ts';
import { Failure } from '../../api/failure.ts';
import { useAction, useLoad } from '../../api/hooks.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button, ConfirmButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Load } from '../../ui/load.tsx';
import { entered, type FieldPlan, fieldsOf, valueIn } from './fields.ts';
import { Process } from './process.tsx';
import { RecordField } from './record-field.tsx';
import { type RecordData, type Resource, resources } from './resources.ts';

interface EditorProps {
  readonly resource: Resource;
  /** Undefined for a new one. */
  readonly record: RecordData | undefined;
  readonly onDone: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** A record's form, in a dialog: Escape closes it, and the focus goes back to where it was. */
export function Editor({ resource, record, onDone, onClose }: EditorProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const fields = useLoad(() => fieldsOf(resources[resource].schema));
  useEffect(() => dialog.current?.showModal(), []);
  const done = async () => {
    // Closed and not just taken away: then the focus goes back to where it was.
    dialog.current?.close();
    await onDone();
  };
  const title = record ? record.id : `A new ${resources[resource].one}`;
  return (
    <dialog ref={dialog} class="editor" aria-label={title} onClose={onClose}>
      <div class="card-head">
        <h2>{title}</h2>
        <Button kind="quiet" onClick={() => dialog.current?.close()}>
          Close
        </Button>
      </div>
      <Load of={fields}>
        {(plans) => <RecordForm resource={resource} record={record} plans={plans} onDone={done} />}
      </Load>
    </dialog>
  );
}

interface FormProps {
  readonly resource: Resource;
  readonly record: RecordData | undefined;
  readonly plans: readonly FieldPlan[];
  readonly onDone: () => Promise<unknown>;
}

function RecordForm({ resource, record, plans, onDone }: FormProps) {
  const announce = useAnnounce();
  const begin = () => Object.fromEntries(plans.map((plan) => [plan.name, entered(plan, record?.[plan.name])]));
  const [values, setValues] = useState<Record<string, string>>(begin);
  const path = { resource, record: record?.id ?? '' };
  const save = useAction(async () => {
    const body = changesOf(plans, values, record);
    if (record && Object.keys(body).length === 0) throw new Failure('Nothing is changed.');
    if (record)
      await told(
        control.PATCH('/state/{resource}/{record}', { params: { path }, body: body as Record<string, never> }),
      );
    else await told(control.POST('/state/{resource}', { params: { path }, body: body as Record<string, never> }));
    announce(record ? `Saved: ${record.id}` : 'Added.');
    await onDone();
  });
  const remove = useAction(async () => {
    await told(control.DELETE('/state/{resource}/{record}', { params: { path } }));
    announce(`Deleted: ${path.record}`);
    await onDone();
  });
  const form = useRef<HTMLFormElement>(null);
  const wrong = save.failure;
  useEffect(() => {
    // On a small screen the field that is wrong may be out of sight.
    if (wrong) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [wrong]);
  const submit = (event: Event) => {
    event.preventDefault();
    void save.run();
  };
  return (
    <>
      <form ref={form} class="stack" onSubmit={submit} noValidate>
        {!record && <p class="muted">What is left empty is filled in.</p>}
        <div class="form-grid">
          {plans.map((plan) => (
            <RecordField
              key={plan.name}
              plan={plan}
              value={values[plan.name] ?? ''}
              onInput={(text) => setValues({ ...values, [plan.name]: text })}
              wrong={save.failure?.about(plan.name)}
              isNew={!record}
            />
          ))}
        </div>
        <FailureNote failure={save.failure ?? remove.failure} told={plans.map(({ name }) => name)} />
        <div class="row">
          <Button type="submit" kind="primary" busy={save.busy}>
            {record ? 'Save' : 'Add'}
          </Button>
          {record && (
            <>
              <ConfirmButton label={`Delete ${record.id}`} onConfirm={remove.run} busy={remove.busy}>
                Delete
              </ConfirmButton>
              <CopyButton text={JSON.stringify(record, null, 2)} what={`${record.id} as JSON`}>
                Copy JSON
              </CopyButton>
            </>
          )}
        </div>
      </form>
      {record && resource === 'recordings' && <Process recording={record.id} onDone={onDone} />}
    </>
  );
}

/** The fields that are no longer as the record has them; of a new record, those that are filled in. */
function changesOf(
  plans: readonly FieldPlan[],
  values: Record<string, string>,
  record: RecordData | undefined,
): Record<string, unknown> {
  const changes: Record<string, unknown> = {};
  for (const plan of plans) {
    const text = values[plan.name] ?? '';
    if (text === entered(plan, record?.[plan.name])) continue;
    try {
      // Of a record, an emptied optional field is removed; of a required one, the empty text is meant.
      const empty = record && (plan.nullable || !plan.required) ? null : undefined;
      changes[plan.name] = valueIn(plan, text, empty);
    } catch {
      throw new Failure(`${plan.name} is not valid JSON.`, 0, [
        { field: plan.name, message: 'This is not valid JSON.' },
      ]);
    }
  }
  return changes;
}
