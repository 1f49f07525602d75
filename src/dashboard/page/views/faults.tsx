import { useState } from 'preact/hooks';
import { control, type Schemas, told } from '../api/client.ts';
import { useAction, useLoad } from '../api/hooks.ts';
import { useWorld } from '../api/world.tsx';
import type { ViewProps } from '../routes.ts';
import { useAnnounce } from '../ui/announce.tsx';
import { Button } from '../ui/button.tsx';
import { Card, ViewHead } from '../ui/card.tsx';
import { FailureNote } from '../ui/failure-note.tsx';
import { Field, Select, Tick } from '../ui/field.tsx';
import { Empty, Load } from '../ui/load.tsx';
import { FaultRow } from './faults/fault-row.tsx';

type Fault = Schemas['Fault'];

/** The catalogue of deliberate deviations, each with its switch. */
export function FaultsView(_props: ViewProps) {
  const list = useLoad(() => told(control.GET('/faults')));
  const world = useWorld();
  const announce = useAnnounce();
  const [text, setText] = useState('');
  const [family, setFamily] = useState('');
  const [armedOnly, setArmedOnly] = useState(false);
  const changed = async () => {
    await Promise.all([list.reload(), world.reload()]);
  };
  const disarmAll = useAction(async () => {
    await told(control.DELETE('/faults'));
    await changed();
    announce('Every fault is disarmed.');
  });
  const isShown = ({ id, family: its, description, requirements, armed }: Fault) =>
    (!armedOnly || armed !== undefined) &&
    (family === '' || family === its) &&
    `${id} ${description} ${requirements.join(' ')}`.toLowerCase().includes(text.trim().toLowerCase());
  return (
    <>
      <ViewHead
        title="Faults"
        actions={
          <Button onClick={disarmAll.run} busy={disarmAll.busy} disabled={!list.data?.some(({ armed }) => armed)}>
            Disarm all
          </Button>
        }
      >
        Deliberate deviations, for a frontend to meet: for all requests, or for an operation, the next few, some of
        them.
      </ViewHead>
      <FailureNote failure={disarmAll.failure} />
      <search class="row fields filters">
        <Field label="Filter" type="search" value={text} onInput={setText} placeholder="id, words, requirement" />
        <Select label="Family" value={family} onInput={setFamily}>
          <option value="">all</option>
          {[...byFamily(list.data ?? []).keys()].map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </Select>
        <Tick label="Armed only" checked={armedOnly} onInput={setArmedOnly} />
        <Button onClick={list.reload}>Refresh hits</Button>
      </search>
      <Load of={list}>
        {(faults) => {
          const shown = faults.filter(isShown);
          if (shown.length === 0) return <Empty>{armedOnly ? 'No fault is armed.' : 'No fault matches.'}</Empty>;
          return [...byFamily(shown)].map(([family, members]) => (
            <Card key={family} title={family} actions={<span class="muted">{members.length}</span>}>
              <ul class="rows">
                {members.map((fault) => (
                  <FaultRow key={fault.id} fault={fault} onChange={changed} />
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
  for (const fault of faults) {
    const { family } = fault;
    families.set(family, [...(families.get(family) ?? []), fault]);
  }
  return families;
}
