import { useState } from 'preact/hooks';
import { control, perform, type Schemas, unwrap } from '../api/client.ts';
import { useRequests } from '../api/events.ts';
import { useLoad } from '../api/load.ts';
import type { ViewProps } from '../routes.ts';
import { ChangeButton } from '../ui/button.tsx';
import { Card, ViewHead } from '../ui/card.tsx';
import { Field } from '../ui/field.tsx';
import { Empty } from '../ui/list.tsx';
import { Load } from '../ui/load.tsx';
import { ArmedFaults } from './faults/armed.tsx';
import { FaultRow } from './faults/fault-row.tsx';
import { Presets } from './faults/presets.tsx';
import { matchesFault } from './faults/search.ts';

type Fault = Schemas['Fault'];

/** The catalogue of deliberate deviations, each with its switch; what is armed stands on top. */
export function FaultsView({ query, setAddress }: ViewProps) {
  const list = useLoad(() => unwrap(control.GET('/faults')));
  useRequests(list.reload);
  const { q = '' } = query;
  return (
    <>
      <ViewHead
        title="Faults"
        hint="Deliberate deviations from the API. Each can be armed for all requests, for one operation, for requests of a kind, for the next few, every nth, or at random; some have parameters."
        actions={
          <ChangeButton
            act={() => perform(control.DELETE('/faults'), 'All faults disarmed.')}
            disabled={!list.data?.some(({ armed }) => armed)}
          >
            Disarm all
          </ChangeButton>
        }
      />
      <Load of={list}>
        {(faults) => {
          const armed = faults.filter((fault) => fault.armed);
          const found = faults.filter((fault) => matchesFault(fault, q));
          return (
            <>
              <Card title={armed.length === 0 ? 'Nothing is armed' : `${armed.length} armed`}>
                <Presets armed={armed} />
                {armed.length > 0 && <ArmedFaults faults={armed} />}
              </Card>
              <search class="row fields">
                <Field
                  label="Filter"
                  kind="search"
                  value={q}
                  onInput={(text) => setAddress({ query: { q: text } })}
                  placeholder="slow, timeout, offline, an id, a requirement"
                />
              </search>
              {found.length === 0 ? (
                <Empty>No faults match.</Empty>
              ) : (
                <div class="surface families">
                  {[...byFamily(found)].map(([name, members]) => (
                    <Family key={`${name} ${q !== ''}`} name={name} faults={members} isOpen={q !== ''} />
                  ))}
                </div>
              )}
            </>
          );
        }}
      </Load>
    </>
  );
}

interface FamilyProps {
  readonly name: string;
  readonly faults: readonly Fault[];
  readonly isOpen: boolean;
}

/** The faults of one family, folded unless they were searched for. */
function Family({ name, faults, isOpen }: FamilyProps) {
  const [open, setOpen] = useState(isOpen);
  return (
    <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary class="row">
        <h2>{name}</h2> <span class="muted">{faults.length}</span>
      </summary>
      {open && (
        <ul class="rows">
          {faults.map((fault) => (
            <FaultRow key={fault.id} fault={fault} />
          ))}
        </ul>
      )}
    </details>
  );
}

function byFamily(faults: readonly Fault[]): Map<string, Fault[]> {
  const families = new Map<string, Fault[]>();
  for (const fault of faults) families.set(fault.family, [...(families.get(fault.family) ?? []), fault]);
  return families;
}
