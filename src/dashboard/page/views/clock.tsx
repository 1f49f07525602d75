import { useEffect, useState } from 'preact/hooks';
import type { Schemas } from '../api/client.ts';
import { call, type InputOf } from '../api/document.ts';
import { useWorld } from '../api/load.ts';
import { ActButton } from '../ui/button.tsx';
import { operationFields } from '../ui/fields.ts';
import { Form, OperationForm } from '../ui/form.tsx';
import { Card, Load, View } from '../ui/parts.tsx';
import { formatDuration, formatTime } from '../ui/text.ts';

type Clock = Pick<Schemas['Info'], 'time' | 'frozen' | 'offsetMilliseconds'>;

const steps = { '1 minute': 60, '1 hour': 3600, '1 day': 86_400, '30 days': 2_592_000 };

/** A time as people type it, in ISO 8601: a space may replace the T, and UTC is assumed where no offset is given. */
const isoTime = (text: string): string => {
  const iso = text.replace(' UTC', 'Z').replace(/^(\d{4}-\d\d-\d\d) /, '$1T');
  if (/^\d{4}-\d\d-\d\d$/.test(iso)) return `${iso}T00:00:00Z`;
  return /T[\d:.]+$/.test(iso) ? `${iso}${/T\d\d:\d\d$/.test(iso) ? ':00' : ''}Z` : iso;
};

const changed = ({ time, frozen }: Clock): string => `${frozen ? 'Frozen at' : 'The time is'} ${formatTime(time)}`;

const change = async (input: InputOf<'changeClock'>) => changed(await call('changeClock', input));

export function ClockView() {
  const clock = useWorld();
  const hint = 'A date, a date and time, or ISO 8601 with an offset.';
  return (
    <View title="Clock" hint="Token lifetimes and timestamps follow this world's time.">
      <Load of={clock}>{(loaded) => <ClockFace clock={loaded} />}</Load>
      <div class="columns">
        <Card title="Run or freeze">
          <div class="row">
            <ActButton text="Freeze now" kind="primary" act={() => change({ frozen: true })} />
            <ActButton text="Resume from here" act={() => change({ frozen: false })} disabled={!clock.data?.frozen} />
            <ActButton text="Reset to system time" act={() => change({ frozen: false, machine: true })} />
          </div>
        </Card>
        <Card title="Advance">
          <div class="row">
            {Object.entries(steps).map(([name, seconds]) => (
              <ActButton text={`+${name}`} key={name} label={`Advance by ${name}`} act={() => change({ seconds })} />
            ))}
          </div>
          <OperationForm
            of="changeClock"
            looks={{ seconds: { required: true } }}
            done={changed}
            submit="Advance"
            layout="inline"
          />
        </Card>
        <Card title="Set">
          <Form
            fields={operationFields('changeClock', { at: { required: true, placeholder: '2030-01-31 12:00', hint } })}
            act={({ at }: { readonly at: string }, pressed) =>
              change({ at: isoTime(at), ...(pressed === 'freeze' && { frozen: true }) })
            }
            submit="Set time"
            other={['freeze', 'Freeze at this time']}
          />
        </Card>
      </div>
    </View>
  );
}

function ClockFace({ clock: { time, frozen, offsetMilliseconds } }: { readonly clock: Clock }) {
  const [shown, setShown] = useState(time);
  useEffect(() => {
    setShown(time);
    if (frozen) return;
    const difference = Date.now() - Date.parse(time);
    const timer = setInterval(() => setShown(new Date(Date.now() - difference).toISOString()), 500);
    return () => clearInterval(timer);
  }, [time, frozen]);
  const isOff = Math.abs(offsetMilliseconds) >= 1000;
  return (
    <div class="row">
      <h2>
        <time datetime={shown}>{formatTime(shown)}</time>
      </h2>
      <span class={`badge ${frozen ? 'warn' : 'good'}`}>{frozen ? 'frozen' : 'running'}</span>
      <span class="muted">
        {isOff
          ? `${formatDuration(offsetMilliseconds)} ${offsetMilliseconds > 0 ? 'ahead of' : 'behind'} system time`
          : 'system time'}
      </span>
    </div>
  );
}
