import { control, unwrap } from '../../api/client.ts';
import type { BodyOf } from '../../api/document.ts';
import { Form, useForm } from '../../ui/form.tsx';
import { operationFields } from '../../ui/schema-fields.ts';

interface ProcessProps {
  readonly recording: string;
  readonly close: () => void;
}

/** Advances a recording's status: immediately, or by the world's clock. */
export function Process({ recording: record, close }: ProcessProps) {
  const form = useForm({
    fields: operationFields('processRecording', {
      outcome: { label: 'Outcome' },
      steps: { label: 'Steps', blank: 'to the end' },
      afterSeconds: { label: 'Delay in seconds', placeholder: 'none' },
    }),
    act: async (body: NonNullable<BodyOf<'processRecording'>>) => {
      const call = control.POST('/recordings/{record}/process', { params: { path: { record } }, body });
      const { path, ends } = await unwrap(call);
      close();
      return `${record}: ${path.join(' → ')}${ends ? `, ${ends.status} at ${ends.at}` : ''}`;
    },
  });
  const head = (
    <>
      <h3>Process</h3>
      <p class="muted small">
        Advances the status. The transitions are an assumption: the source document does not show them.
      </p>
    </>
  );
  return (
    <div class="separated">
      <Form form={form} submit="Process" layout="inline" head={head} />
    </div>
  );
}
