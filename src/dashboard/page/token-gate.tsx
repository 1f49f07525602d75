import { storeControlToken } from './api/control-token.ts';
import type { Failure } from './api/failure.ts';
import { Card } from './ui/card.tsx';
import { FailureNote } from './ui/failure-note.tsx';
import { Form, useForm } from './ui/form.tsx';

/** Asks for the control token, in place of every view while the control plane rejects this page. */
export function TokenGate({ failure }: { readonly failure: Failure }) {
  const form = useForm({
    fields: [
      {
        name: 'token',
        label: 'Control token',
        kind: 'password',
        hint: 'The token that the mock was started with. This tab forgets it when it is closed.',
        required: true,
      },
    ],
    act: async ({ token }: { readonly token: string }) => storeControlToken(token),
  });
  return (
    <Card title="The control plane requires a token">
      <h1 class="visually-hidden" tabIndex={-1}>
        Control token
      </h1>
      <FailureNote failure={failure} />
      <Form form={form} submit="Continue" kind="primary" />
    </Card>
  );
}
