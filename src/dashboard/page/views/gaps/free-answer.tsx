import type { Schemas } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { displayed } from '../../ui/failure-note.tsx';
import { Form, useForm } from '../../ui/form.tsx';

interface FreeAnswerProps {
  readonly gap: Schemas['Gap'];
  readonly change: (answer: unknown) => Promise<string>;
}

/** An answer that is not one of a list: typed, or copied from an example. Anything but text is entered as JSON. */
export function FreeAnswer({ gap: { id, answer: current, answers, examples }, change }: FreeAnswerProps) {
  // Beside named answers, any other one is written out.
  const isText = typeof current === 'string' && !answers;
  const initial = isText ? current : JSON.stringify(current);
  const form = useForm({
    fields: [
      {
        name: 'answer',
        label: `Answer to ${id}${isText ? '' : ' (JSON)'}`,
        type: isText ? 'string' : 'json',
        initial,
      },
    ],
    act: ({ answer = '' }: { readonly answer?: unknown }) => change(answer),
  });
  return (
    <Form form={form} submit="Apply" layout="inline" disabled={form.values.answer === initial}>
      {examples && (
        <div class="row">
          <span class="muted">Examples</span>
          {examples.map(displayed).map((example) => (
            <Button key={example} kind="quiet" onClick={() => form.set('answer', example)}>
              {example}
            </Button>
          ))}
        </div>
      )}
    </Form>
  );
}
