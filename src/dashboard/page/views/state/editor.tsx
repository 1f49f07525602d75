import { useEffect, useRef, useState } from 'preact/hooks';
import { guardAddress } from '../../address.ts';
import { control, perform, unwrap } from '../../api/client.ts';
import { Failure } from '../../api/failure.ts';
import { useLoad } from '../../api/load.ts';
import { Done } from '../../ui/announce.tsx';
import { Button, ChangeButton, ConfirmButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { parseInput, textOf, type Values } from '../../ui/form-field.ts';
import { recordFields, type SchemaField } from '../../ui/schema-fields.ts';
import { Process } from './process.tsx';
import { editorField, gapAnswers } from './record-fields.ts';
import { type RecordData, type Resource, resources } from './resources.ts';

interface EditorProps {
  readonly resource: Resource;
  /** Undefined for a new record. */
  readonly record: RecordData | undefined;
  readonly onClose: () => void;
}

/** A record's form, in a dialog: Escape closes it, and the focus returns to where it was. Asks before edits are lost. */
export function Editor({ resource, record, onClose }: EditorProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isChanged = useRef(false);
  const [asking, setAsking] = useState(false);
  useEffect(() => {
    dialog.current?.showModal();
    return guardAddress(() => {
      setAsking(isChanged.current);
      return !isChanged.current;
    });
  }, []);
  // Closed, not just unmounted: only then does the focus return.
  const close = () => {
    isChanged.current = false;
    dialog.current?.close();
  };
  const mayClose = () => (isChanged.current ? setAsking(true) : close());
  const title = record ? record.id : `New ${resources[resource].one}`;
  return (
    <dialog
      ref={dialog}
      class="editor surface"
      aria-label={title}
      onClose={onClose}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        mayClose();
      }}
    >
      <div class="stack">
        <div class="row head">
          <h2>{title}</h2>
          <Button kind="quiet" onClick={mayClose}>
            Close
          </Button>
        </div>
        {asking && (
          <div class="note warn row asking" role="alert">
            <span class="grow">There are changes that are not saved.</span>
            <Button kind="danger" onClick={close}>
              Discard changes
            </Button>
            <Button onClick={() => setAsking(false)}>Keep editing</Button>
          </div>
        )}
        <RecordForm
          resource={resource}
          record={record}
          close={close}
          onChange={(changed) => {
            isChanged.current = changed;
          }}
        />
        {record && resource === 'recordings' && <Process recording={record.id} close={close} />}
      </div>
    </dialog>
  );
}

interface RecordFormProps extends Omit<EditorProps, 'onClose'> {
  readonly close: () => void;
  readonly onChange: (isChanged: boolean) => void;
}

function RecordForm({ resource, record, close, onChange }: RecordFormProps) {
  const answers = useLoad(gapAnswers);
  const fields = recordFields(resources[resource].schema);
  const path = { resource, record: record?.id ?? '' };
  const form = useForm({
    fields: fields.map((field) => editorField(field, record, answers.data)),
    read: (values) => changesOf(fields, values, record),
    act: async (changes) => {
      if (record && Object.keys(changes).length === 0) throw new Failure('There are no changes to save.');
      // The server validates the record; its type depends on the resource.
      const request = { params: { path }, body: changes as Record<string, never> };
      const message = record
        ? await perform(control.PATCH('/state/{resource}/{record}', request), `Saved: ${record.id}`)
        : await perform(control.POST('/state/{resource}', request), `Added a ${resources[resource].one}.`);
      close();
      return message;
    },
  });
  onChange(form.isChanged);
  const remove = async (): Promise<Done> => {
    await unwrap(control.DELETE('/state/{resource}/{record}', { params: { path } }));
    close();
    // A token cannot be created again: its secret is not known.
    const body = resources[resource].canAdd && (record as unknown as Record<string, never>);
    const undo = () =>
      perform(control.POST('/state/{resource}', { params: { path }, body: body || {} }), `Restored: ${path.record}`);
    return new Done(`Deleted: ${path.record}`, body ? undo : undefined);
  };
  const RemoveButton = resources[resource].canAdd ? ChangeButton : ConfirmButton;
  return (
    <Form
      form={form}
      submit={record ? 'Save' : 'Add'}
      kind="primary"
      layout="grid"
      head={!record && <p class="muted">Empty fields get generated values.</p>}
    >
      {record && (
        <>
          <RemoveButton kind="danger" label={`Delete ${record.id}`} act={remove}>
            Delete
          </RemoveButton>
          <CopyButton text={JSON.stringify(record, null, 2)} what={`${record.id} as JSON`}>
            Copy JSON
          </CopyButton>
        </>
      )}
    </Form>
  );
}

/** The fields whose text is no longer the record's; of a new record, those that were filled in. */
function changesOf(
  fields: readonly SchemaField[],
  values: Values,
  record: RecordData | undefined,
): Record<string, unknown> {
  const changed = fields.filter((field) => values[field.name] !== textOf(field, record?.[field.name]));
  return Object.fromEntries(
    changed.map((field) => {
      // Null removes an optional field; a required one may be an empty text.
      const empty = field.required ? '' : null;
      return [field.name, parseInput(field, values[field.name] ?? '') ?? empty];
    }),
  );
}
