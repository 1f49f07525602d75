import { useEffect, useRef } from 'preact/hooks';
import { asText, memberOf } from '../../../../contract-tests/values/json.ts';
import { mayLeave } from '../address.ts';
import { call } from '../api/document.ts';
import { Failure } from '../api/failure.ts';
import { useLoad } from '../api/load.ts';
import { Done } from '../ui/action.tsx';
import { ActButton, Button, CopyButton } from '../ui/button.tsx';
import { type FormField, parseInput, recordFields, textOf, type Values } from '../ui/fields.ts';
import { Form, OperationForm } from '../ui/form.tsx';
import { Card } from '../ui/parts.tsx';
import { type RecordData, type Resource, resources } from './resources.ts';

interface EditorProps {
  readonly resource: Resource;
  readonly record: RecordData | undefined;
  readonly onClose: () => void;
}

/** A record's form, in a dialog: Escape closes it, and the focus returns to where it was. Asks before edits are lost. */
export function Editor({ resource, record, onClose }: EditorProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  // Closed, not just unmounted: only then does the focus return.
  const close = () => dialog.current?.close();
  const closeIfAllowed = () => mayLeave() && close();
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
        closeIfAllowed();
      }}
    >
      <div class="stack">
        <div class="row head">
          <h2>{title}</h2>
          <Button text="Close" onClick={closeIfAllowed} />
        </div>
        <RecordForm resource={resource} record={record} close={close} />
        {record && resource === 'recordings' && <Process record={record.id} close={close} />}
      </div>
    </dialog>
  );
}

interface RecordFormProps extends Omit<EditorProps, 'onClose'> {
  readonly close: () => void;
}

function RecordForm({ resource, record, close }: RecordFormProps) {
  const known = useLoad(knownValues);
  const { one, canAdd, schema } = resources[resource];
  const fields = recordFields(schema);
  const path = { resource, record: record?.id ?? '' };
  const save = async (changes: Record<string, unknown>) => {
    if (record && Object.keys(changes).length === 0) throw new Failure('There are no changes to save.');
    if (record) await call('editRecord', { ...path, ...changes });
    else await call('createRecord', { resource, ...changes });
    close();
    return record ? `Saved: ${record.id}` : `Added a ${one}.`;
  };
  const remove = async () => {
    await call('deleteRecord', path);
    close();
    const undo = async () => {
      await call('createRecord', { ...record, resource });
      return `Restored: ${path.record}`;
    };
    // A token cannot be created again: its secret is not known.
    return new Done(`Deleted: ${path.record}`, canAdd ? undo : undefined);
  };
  return (
    <>
      {!record && <p class="muted">Empty fields get generated values.</p>}
      <Form
        fields={fields.map((field) => editorField(field, record, known.data))}
        read={(values) => changesOf(fields, values, record)}
        act={save}
        submit={record ? 'Save' : 'Add'}
        kind="primary"
        layout="grid"
        isGuarded
      >
        {record && (
          <>
            <ActButton text="Delete" kind="danger" asks={!canAdd} of={record.id} act={remove} />
            <CopyButton text="Copy JSON" copied={JSON.stringify(record, null, 2)} what={`${record.id} as JSON`} />
          </>
        )}
      </Form>
    </>
  );
}

/** Longer texts get an area, and so does a summary. */
const lineLength = 80;

/** Values to choose from: those of the profile by gap, and the ids of users and tenants by field. */
async function knownValues(): Promise<ReadonlyMap<string, readonly string[]>> {
  const ids = async (resource: 'users' | 'tenants') =>
    (await call('listRecords', { resource })).items.map(({ id }) => id);
  const [{ gaps }, users, tenants] = await Promise.all([call('getProfile', {}), ids('users'), ids('tenants')]);
  const words = gaps.flatMap(({ id, answer }) => (Array.isArray(answer) ? [[id, answer.map(asText)] as const] : []));
  return new Map([...words, ['user_id', users], ['tenant', tenants]]);
}

/** The known values of a field: its description names the gap that lists them. The record's own value is one of them. */
function choicesFor({ name, description = '' }: FormField, known: ReadonlyMap<string, readonly string[]>, own: string) {
  const [, gap = name] = /\(gap ([a-z-]+)\)/.exec(description) ?? [];
  const values = known.get(gap);
  return values && [...new Set([...(own === '' ? [] : [own]), ...values])];
}

function editorField(
  field: FormField,
  record: RecordData | undefined,
  known: ReadonlyMap<string, readonly string[]> = new Map(),
): FormField {
  const { name, description, required } = field;
  const initial = textOf(field, memberOf(record, name));
  const choices = field.type === 'string' ? choicesFor(field, known, initial) : undefined;
  const isLong = name === 'summary' || initial.includes('\n') || initial.length > lineLength;
  return {
    ...field,
    // The server fills in what a new record lacks.
    required: false,
    initial,
    kind: choices ? 'choice' : field.kind === 'text' && isLong ? 'area' : field.kind,
    options: field.options ?? choices,
    hint: record && !required ? [description, 'Leave empty to remove it.'].filter(Boolean).join(' ') : description,
    placeholder: record ? undefined : 'generated',
    blank: record ? (initial === '' ? '' : undefined) : 'generated',
  };
}

/** The fields whose text is no longer the record's; of a new record, those that were filled in. */
function changesOf(fields: readonly FormField[], values: Values, record: RecordData | undefined) {
  const changed = fields.filter(
    (field) => memberOf(values, field.name) !== textOf(field, memberOf(record, field.name)),
  );
  return Object.fromEntries(
    changed.map((field): [string, unknown] => {
      // Null removes an optional field; a required one may be an empty text.
      const empty = field.required ? '' : null;
      return [field.name, parseInput(field, memberOf(values, field.name) ?? '') ?? empty];
    }),
  );
}

const Process = ({ record, close }: { readonly record: string; readonly close: () => void }) => (
  <Card
    title="Process"
    hint="Advances the status. The transitions are an assumption: the source document does not show them."
  >
    <OperationForm
      of="processRecording"
      given={{ record }}
      looks={{ outcome: {}, steps: { blank: 'to the end' }, afterSeconds: { placeholder: 'none' } }}
      done={({ path, ends }) => {
        close();
        return `${record}: ${path.join(' → ')}${ends ? `, ${ends.status} at ${ends.at}` : ''}`;
      }}
      submit="Process"
      layout="inline"
    />
  </Card>
);
