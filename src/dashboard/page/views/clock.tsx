import { useEffect, useState } from 'preact/hooks';
import type { ViewProps } from '../address.ts';
import { control, type Schemas, unwrap } from '../api/client.ts';
import type { BodyOf } from '../api/document.ts';
import { useLoad } from '../api/load.ts';
import { ActButton } from '../ui/button.tsx';
import { operationFields } from '../ui/fields.ts';
import { Form } from '../ui/form.tsx';
import { Card, Load, ViewHead } from '../ui/parts.tsx';
import { formatDuration, formatTime } from '../ui/text.ts';

type Clock = Schemas['Clock'];

const steps = { '1 minute': 60, '1 hour': 3600, '1 day': 86_400, '30 days': 2_592_000 };

/** A time as people type it, in ISO 8601: a space may replace the T, and UTC is assumed where no offset is given. */
const isoTime = (text: string): string => {
  const iso = text.replace(' UTC', 'Z').replace(/^(\d{4}-\d\d-\d\d) /, '$1T');
  if (/^\d{4}-\d\d-\d\d$/.test(iso)) return `${iso}T00:00:00Z`;
  return /T[\d:.]+$/.test(iso) ? `${iso}${/T\d\d:\d\d$/.test(iso) ? ':00' : ''}Z` : iso;
};

async function changeClock(call: Promise<{ readonly data: Clock }>): Promise<string> {
  const { now, frozen } = await unwrap(call);
  return `${frozen ? 'Frozen at' : 'The time is'} ${formatTime(now)}`;
}

const advance = (body: BodyOf<'advanceClock'>) => changeClock(control.POST('/clock/advance', { body }));
const freeze = (body: BodyOf<'freezeClock'>) => changeClock(control.POST('/clock/freeze', { body }));
const release = (to: 'here' | 'machine') => changeClock(control.POST('/clock/release', { body: { to } }));

export function ClockView(_props: ViewProps) {
  const clock = useLoad(() => unwrap(control.GET('/clock')));
  return (
    <>
      <ViewHead title="Clock" hint="Token lifetimes and timestamps follow this world's time." />
      <Load of={clock}>{(loaded) => <ClockFace clock={loaded} />}</Load>
      <div class="columns">
        <Card title="Run or freeze">
          <div class="row">
            <ActButton text="Freeze now" kind="primary" act={() => freeze({})} />
            <ActButton text="Resume from here" act={() => release('here')} disabled={!clock.data?.frozen} />
            <ActButton text="Reset to system time" act={() => release('machine')} />
          </div>
        </Card>
        <Card title="Advance">
          <div class="row">
            {Object.entries(steps).map(([name, seconds]) => (
              <ActButton text={`+${name}`} key={name} label={`Advance by ${name}`} act={() => advance({ seconds })} />
            ))}
          </div>
          <Form
            fields={operationFields('advanceClock', { seconds: { label: 'Seconds' } })}
            act={advance}
            submit="Advance"
            layout="inline"
          />
        </Card>
        <Card title="Set">
          <Form
            fields={operationFields('setClock', {
              at: {
                label: 'Time (UTC)',
                placeholder: '2030-01-31 12:00',
                hint: 'A date, a date and time, or ISO 8601 with an offset.',
              },
            })}
            act={(entered: BodyOf<'setClock'>, pressed) => {
              const body = { at: isoTime(entered.at) };
              return pressed === 'freeze' ? freeze(body) : changeClock(control.POST('/clock/set', { body }));
            }}
            submit="Set time"
            other={['freeze', 'Freeze at this time']}
          />
        </Card>
      </div>
    </>
  );
}

function ClockFace({ clock: { now, frozen, offsetMilliseconds } }: { readonly clock: Clock }) {
  const [shown, setShown] = useState(now);
  useEffect(() => {
    setShown(now);
    if (frozen) return;
    const difference = Date.now() - Date.parse(now);
    const timer = setInterval(() => setShown(new Date(Date.now() - difference).toISOString()), 500);
    return () => clearInterval(timer);
  }, [now, frozen]);
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
