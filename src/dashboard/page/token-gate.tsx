import { useState } from 'preact/hooks';
import type { Failure } from './api/failure.ts';
import { controlToken, keepControlToken } from './api/token.ts';
import { useWorld } from './api/world.tsx';
import { Button } from './ui/button.tsx';
import { Card } from './ui/card.tsx';
import { FailureNote } from './ui/failure-note.tsx';
import { Field } from './ui/field.tsx';

/** In place of every view while the control plane refuses this page: asks for the token. */
export function TokenGate({ failure }: { readonly failure: Failure }) {
  const { reload } = useWorld();
  const [token, setToken] = useState(controlToken() ?? '');
  const submit = (event: Event) => {
    event.preventDefault();
    keepControlToken(token.trim());
    void reload();
  };
  return (
    <Card title="The control plane refuses this page">
      <h1 class="unseen" tabIndex={-1}>
        Control token
      </h1>
      <FailureNote failure={failure} />
      <form class="form" onSubmit={submit}>
        <Field
          label="Control token"
          type="password"
          value={token}
          onInput={setToken}
          hint="Whoever started the mock on this address was shown it. It is kept for this tab only."
          required
        />
        <div class="row">
          <Button type="submit" kind="primary">
            Use it
          </Button>
        </div>
      </form>
    </Card>
  );
}
