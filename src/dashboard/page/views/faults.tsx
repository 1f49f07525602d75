import { useState } from 'preact/hooks';
import { control, perform, type Schemas, unwrap } from '../api/client.ts';
import { useLoad } from '../api/load.ts';
import type { ViewProps } from '../routes.ts';
import { Button, ChangeButton } from '../ui/button.tsx';
import { Card, ViewHead } from '../ui/card.tsx';
import { Checkbox, Field } from '../ui/field.tsx';
import { Empty } from '../ui/list.tsx';
import { Load } from '../ui/load.tsx';
import { FaultRow } from './faults/fault-row.tsx';

type Fault = Schemas['Fault'];

/** The catalogue of deliberate deviations, each with its switch. */
export function FaultsView(_props: ViewProps) {
  const list = useLoad(() => unwrap(control.GET('/faults')));
  const [text, setText] = useState('');
  const [family, setFamily] = useState('');
  const [armedOnly, setArmedOnly] = useState(false);
  const isShown = (fault: Fault) =>
    (!armedOnly || fault.armed !== undefined) &&
    (family === '' || family === fault.family) &&
    `${fault.id} ${fault.description} ${fault.requirements.join(' ')}`
      .toLowerCase()
      .includes(text.trim().toLowerCase());
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
      <search class="row fields">
        <Field label="Filter" kind="search" value={text} onInput={setText} placeholder="id, words, requirement" />
        <Field
          label="Family"
          kind="choice"
          blank="all"
          options={[...byFamily(list.data ?? []).keys()]}
          value={family}
          onInput={setFamily}
        />
        <Checkbox label="Armed only" checked={armedOnly} onInput={setArmedOnly} />
        <Button onClick={list.reload}>Refresh hits</Button>
      </search>
      <Load of={list}>
        {(faults) => {
          const shown = faults.filter(isShown);
          if (shown.length === 0) return <Empty>{armedOnly ? 'No faults are armed.' : 'No faults match.'}</Empty>;
          return [...byFamily(shown)].map(([name, members]) => (
            <Card key={name} title={name} actions={<span class="muted">{members.length}</span>}>
              <ul class="rows">
                {members.map((fault) => (
                  <FaultRow key={fault.id} fault={fault} />
                ))}
              </ul>
            </Card>
          ));
        }}
      </Load>
    </>
  );
}

function byFamily(faults: readonly Fault[]): Map<string, Fault[]> {
  const families = new Map<string, Fault[]>();
  for (const fault of faults) families.set(fault.family, [...(families.get(fault.family) ?? []), fault]);
  return families;
}
