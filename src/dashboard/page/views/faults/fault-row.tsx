import { useId, useState } from 'preact/hooks';
import type { Schemas } from '../../api/client.ts';
import { useChange } from '../../ui/action.ts';
import { Button } from '../../ui/button.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Form, useForm } from '../../ui/form.tsx';
import { textOf } from '../../ui/form-field.ts';
import { operationFields } from '../../ui/schema-fields.ts';
import { allOperations, arm, disarm, type Terms } from './arming.ts';

type Fault = Schemas['Fault'];

interface FaultProps {
  readonly fault: Fault;
}

/** One fault: its switch and, when unfolded, the conditions under which it applies. */
export function FaultRow({ fault }: FaultProps) {
  const { id, description, requirements, hits, armed } = fault;
  const [open, setOpen] = useState(false);
  const name = useId();
  const toggle = useChange(() => (armed ? disarm(id) : arm(id, {})));
  return (
    <li>
      <button
        type="button"
        role="switch"
        class="switch"
        aria-checked={armed !== undefined}
        aria-labelledby={name}
        aria-busy={toggle.busy}
        onClick={() => toggle.run()}
      />
      <div class="grow">
        <div class="row tags">
          <code id={name}>{id}</code>
          {hits > 0 && <span class="badge">{hits === 1 ? '1 hit' : `${hits} hits`}</span>}
        </div>
        <p>{description}</p>
        {requirements.length > 0 && <p class="muted">Breaks {requirements.join(', ')}</p>}
        <FailureNote failure={toggle.failure} />
        {open && <Conditions fault={fault} />}
      </div>
      <Button kind="quiet" label={`Conditions of ${id}`} aria-expanded={open} onClick={() => setOpen(!open)}>
        Conditions
      </Button>
    </li>
  );
}

function Conditions({ fault: { id, armed, parameters } }: FaultProps) {
  const { left, probability = 1, parameters: own, ...rest } = armed ?? {};
  const inForce: Record<string, unknown> = {
    ...own,
    ...rest,
    times: left,
    probability: probability < 1 ? probability : '',
  };
  const fields = operationFields('armFault', {
    ...Object.fromEntries(parameters.map((name) => [name, {}])),
    operation: { label: 'Operation', blank: allOperations },
    times: { label: 'Next requests', placeholder: 'all' },
    every: { label: 'Every nth of them', placeholder: '1' },
    probability: { label: 'Probability, 0 to 1', placeholder: '1' },
    request: { label: 'Requests like', placeholder: '{"path": "/v1/echo/*"}' },
  });
  const form = useForm({
    fields: fields.map((field) => ({ ...field, initial: textOf(field, inForce[field.name]) })),
    act: (body: Terms) => arm(id, body),
  });
  return <Form form={form} submit={armed ? 'Re-arm' : 'Arm'} kind="primary" layout="inline" />;
}
