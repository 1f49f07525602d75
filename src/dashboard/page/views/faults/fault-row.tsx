import { useId, useState } from 'preact/hooks';
import { control, type Schemas, told } from '../../api/client.ts';
import { useAction } from '../../api/hooks.ts';
import { useAnnounce } from '../../ui/announce.tsx';
import { Button } from '../../ui/button.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field, Select } from '../../ui/field.tsx';

type Fault = Schemas['Fault'];
type Terms = Schemas['FaultTerms'];

const operations: readonly Schemas['OperationId'][] = [
  'ssoLogin',
  'login',
  'refreshAccessToken',
  'createApiToken',
  'listTokenScopes',
  'updateRecording',
  'listTenantApiKeys',
];

interface FaultRowProps {
  readonly fault: Fault;
  readonly onChange: () => Promise<unknown>;
}

/** One fault: its switch, and behind "Terms" when it bites. */
export function FaultRow({ fault, onChange }: FaultRowProps) {
  const { id, description, requirements, hits, armed } = fault;
  const announce = useAnnounce();
  const [open, setOpen] = useState(false);
  const name = useId();
  const path = { params: { path: { fault: id } } };
  const arm = useAction(async (terms: Terms) => {
    await told(control.PUT('/faults/{fault}', { ...path, body: terms }));
    await onChange();
    announce(`Armed: ${id}`);
  });
  const disarm = useAction(async () => {
    await told(control.DELETE('/faults/{fault}', path));
    await onChange();
    announce(`Disarmed: ${id}`);
  });
  return (
    <li class={`fault ${armed ? 'on' : ''}`}>
      <button
        type="button"
        role="switch"
        class="switch"
        aria-checked={armed !== undefined}
        aria-labelledby={name}
        aria-busy={arm.busy || disarm.busy}
        onClick={() => void (armed ? disarm.run() : arm.run({}))}
      />
      <div class="grow">
        <div class="fault-name">
          <code id={name}>{id}</code>
          {armed && <span class="badge warn">{termsOf(armed)}</span>}
          {hits > 0 && <span class="badge">{hits} hits</span>}
        </div>
        <p>{description}</p>
        {requirements.length > 0 && <p class="muted">Breaks {requirements.join(', ')}</p>}
        <FailureNote failure={disarm.failure ?? (open ? undefined : arm.failure)} />
        {open && <TermsForm armed={armed} action={arm} />}
      </div>
      <Button kind="quiet" label={`Terms of ${id}`} expanded={open} onClick={() => setOpen(!open)}>
        Terms
      </Button>
    </li>
  );
}

function termsOf({ operation, left, probability }: NonNullable<Fault['armed']>): string {
  const parts = [
    operation ?? 'every operation',
    left === undefined ? undefined : `next ${left}`,
    probability < 1 ? `${Math.round(probability * 1000) / 10} %` : undefined,
  ];
  return parts.filter(Boolean).join(' · ');
}

interface TermsFormProps {
  readonly armed: Fault['armed'];
  readonly action: ReturnType<typeof useAction<[Terms]>>;
}

function TermsForm({ armed, action }: TermsFormProps) {
  const [operation, setOperation] = useState<string>(armed?.operation ?? '');
  const [times, setTimes] = useState(armed?.left === undefined ? '' : String(armed.left));
  const [probability, setProbability] = useState(armed && armed.probability < 1 ? String(armed.probability) : '');
  const submit = (event: Event) => {
    event.preventDefault();
    void action.run({
      ...(operation !== '' && { operation: operation as Schemas['OperationId'] }),
      ...(times.trim() !== '' && { times: Number(times) }),
      ...(probability.trim() !== '' && { probability: Number(probability) }),
    });
  };
  return (
    <form class="stack terms" onSubmit={submit}>
      <div class="row fields">
        <Select label="Operation" value={operation} onInput={setOperation} wrong={action.failure?.about('operation')}>
          <option value="">every one</option>
          {operations.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </Select>
        <Field
          label="Next requests"
          type="number"
          value={times}
          onInput={setTimes}
          placeholder="all"
          wrong={action.failure?.about('times')}
        />
        <Field
          label="Probability, 0 to 1"
          type="number"
          value={probability}
          onInput={setProbability}
          placeholder="1"
          wrong={action.failure?.about('probability')}
        />
        <Button type="submit" kind="primary" busy={action.busy}>
          {armed ? 'Arm anew' : 'Arm'}
        </Button>
      </div>
      <FailureNote failure={action.failure} />
    </form>
  );
}
