import { useId } from 'preact/hooks';
import { faultPresets } from '../../../control/fault-presets.ts';
import type { ViewProps } from '../address.ts';
import type { Schemas } from '../api/client.ts';
import { call } from '../api/document.ts';
import { useLoad } from '../api/load.ts';
import { ActButton, OperationButton } from '../ui/button.tsx';
import { Filters, OperationForm } from '../ui/form.tsx';
import { Card, Fold, Groups, Load, Table, View } from '../ui/parts.tsx';
import { counted, displayed } from '../ui/text.ts';
import { matchesFault } from './fault-search.ts';

type Fault = Schemas['Fault'];
type Terms = Schemas['FaultTerms'];

async function arm(fault: string, terms: Terms): Promise<string> {
  await call('armFault', { fault, ...terms });
  return `Armed: ${fault}`;
}

async function disarm(fault: string): Promise<string> {
  await call('disarmFault', { fault });
  return `Disarmed: ${fault}`;
}

export function FaultsView({ query, setAddress }: ViewProps) {
  const list = useLoad(() => call('listFaults', {}));
  const { q = '' } = query;
  return (
    <View
      title="Faults"
      hint="Deliberate deviations from the API. Each can be armed for all requests, for one operation, for requests of a kind, for the next few, every nth, or at random; some have parameters."
      actions={
        <ActButton text="Disarm all" act={() => disarm('all')} disabled={!list.data?.some(({ armed }) => armed)} />
      }
    >
      <Load of={list}>
        {(faults) => {
          const armed = faults.filter((fault) => fault.armed);
          const found = faults.filter((fault) => matchesFault(fault, q));
          const placeholder = 'slow, timeout, retry, an id, a requirement';
          return (
            <>
              <Card title={armed.length === 0 ? 'Nothing is armed' : `${armed.length} armed`}>
                <ul class="row" aria-label="Presets">
                  {Object.entries(faultPresets).map(([name, preset]) => (
                    <PresetButton key={name} preset={preset} armed={armed} />
                  ))}
                </ul>
                {armed.length > 0 && <ArmedFaults faults={armed} />}
              </Card>
              <Filters
                fields={[{ name: 'q', label: 'Filter', kind: 'search', placeholder }]}
                values={{ q }}
                onChange={(next) => setAddress({ query: next })}
                shown={`${found.length} of ${faults.length} faults`}
              />
              <Groups items={found} groupOf={({ family }) => family} isOpen={q !== ''} empty="No faults match.">
                {(fault) => <FaultRow key={fault.id} fault={fault} />}
              </Groups>
            </>
          );
        }}
      </Load>
    </View>
  );
}

type Preset = (typeof faultPresets)[keyof typeof faultPresets];

const allRequests: NonNullable<Fault['armed']> = { probability: 1 };

function PresetButton({ preset: { label, about, fault, terms }, armed }: { preset: Preset; armed: readonly Fault[] }) {
  // Armed by the preset, not with other conditions or parameters.
  const isOn = armed.some(({ id, armed: inForce }) => {
    const { probability, parameters = {}, ...conditions } = inForce ?? allRequests;
    const isSame = JSON.stringify(parameters) === JSON.stringify(terms);
    return id === fault && isSame && probability === 1 && Object.keys(conditions).length === 0;
  });
  return (
    <li>
      <ActButton
        text={label}
        aria-pressed={isOn}
        title={`${about} (${fault})`}
        act={() => (isOn ? disarm(fault) : arm(fault, terms))}
      />
    </li>
  );
}

const allOperations = 'all operations';

function conditionsOf({ armed = allRequests }: Fault): string {
  const { operation, request, left, every, probability, parameters } = armed;
  const parts = [
    operation ?? (request ? undefined : allOperations),
    request && JSON.stringify(request),
    left === undefined ? undefined : `next ${left}`,
    every === undefined ? undefined : `every ${every}`,
    probability < 1 ? `${Math.round(probability * 1000) / 10} %` : undefined,
    ...Object.entries(parameters ?? {}).map(([name, value]) => `${name} ${displayed(value)}`),
  ];
  return parts.filter(Boolean).join(' · ');
}

const ArmedFaults = ({ faults }: { readonly faults: readonly Fault[] }) => (
  <Table
    caption="Armed faults"
    items={faults}
    empty=""
    of="Fault"
    columns={['id', 'armed', 'hits']}
    show={{
      id: ({ id, description }) => (
        <a href={`#/faults?q=${id}`} title={description}>
          <code>{id}</code>
        </a>
      ),
      // A body may be long: its first lines are enough to know it by, and the form has all of it.
      armed: (fault) => (
        <span class="badge warn clamped" title={conditionsOf(fault)}>
          {conditionsOf(fault)}
        </span>
      ),
      hits: ({ hits }) => counted(hits, 'hit'),
    }}
    actions={({ id }) => <OperationButton text="Disarm" of={id} operation="disarmFault" given={{ fault: id }} />}
  />
);

function FaultRow({ fault }: { readonly fault: Fault }) {
  const { id, description, requirements, hits, armed } = fault;
  const name = useId();
  return (
    <li>
      <ActButton
        role="switch"
        text={armed ? 'On' : 'Off'}
        aria-checked={armed !== undefined}
        aria-labelledby={name}
        act={() => (armed ? disarm(id) : arm(id, {}))}
      />
      <Fold
        class="grow"
        summary={
          <span class="grow">
            <code id={name}>{id}</code> {hits > 0 && <span class="badge">{counted(hits, 'hit')}</span>}
            <span>{description}</span>
            {requirements.length > 0 && <span class="muted">Breaks {requirements.join(', ')}</span>}
          </span>
        }
      >
        <Conditions fault={fault} />
      </Fold>
    </li>
  );
}

function Conditions({ fault: { id, armed, parameters } }: { readonly fault: Fault }) {
  const { left, probability, parameters: own, ...rest } = armed ?? allRequests;
  const inForce: Record<string, unknown> = { ...own, ...rest, times: left };
  if (probability < 1) inForce.probability = probability;
  return (
    <OperationForm
      of="armFault"
      looks={{
        ...Object.fromEntries(parameters.map((name) => [name, { label: name }])),
        operation: { blank: allOperations },
        times: { placeholder: 'all' },
        every: { placeholder: '1' },
        probability: { placeholder: '1' },
        request: { placeholder: '{"path": "/v1/echo/*"}' },
      }}
      initial={inForce}
      given={{ fault: id }}
      done={() => `Armed: ${id}`}
      submit={armed ? 'Re-arm' : 'Arm'}
      kind="primary"
    />
  );
}
