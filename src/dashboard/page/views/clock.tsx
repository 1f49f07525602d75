import { useEffect, useState } from 'preact/hooks';
import { type CallResult, control, type Schemas, unwrap } from '../api/client.ts';
import type { BodyOf } from '../api/document.ts';
import { useLoad } from '../api/load.ts';
import type { ViewProps } from '../routes.ts';
import { Button, ChangeButton } from '../ui/button.tsx';
import { Card, ViewHead } from '../ui/card.tsx';
import { Form, useForm } from '../ui/form.tsx';
import { Load } from '../ui/load.tsx';
import { operationFields } from '../ui/schema-fields.ts';
import { formatDuration, formatTime } from '../ui/time.ts';

type Clock = Schemas['Clock'];

const steps = [
  ['1 minute', 60],
  ['1 hour', 3600],
  ['1 day', 86_400],
  ['30 days', 2_592_000],
] as const;

/** A time as people type it, in ISO 8601: a space may replace the T, and UTC is assumed where no offset is given. */
const isoTime = (text: string): string => {
  const iso = text.replace(' UTC', 'Z').replace(/^(\d{4}-\d\d-\d\d) /, '$1T');
  if (/^\d{4}-\d\d-\d\d$/.test(iso)) return `${iso}T00:00:00Z`;
  return /T[\d:.]+$/.test(iso) ? `${iso}${/T\d\d:\d\d$/.test(iso) ? ':00' : ''}Z` : iso;
};

async function changeClock(call: Promise<CallResult<Clock>>): Promise<string> {
  const { now, frozen } = await unwrap(call);
  return `${frozen ? 'Frozen at' : 'The time is'} ${formatTime(now)}`;
}

const advance = (body: BodyOf<'advanceClock'>) => changeClock(control.POST('/clock/advance', { body }));

/** The world's time, which tokens and timestamps follow. */
export function ClockView(_props: ViewProps) {
  const clock = useLoad(() => unwrap(control.GET('/clock')));
  const release = (to: 'here' | 'machine') => changeClock(control.POST('/clock/release', { body: { to } }));
  const advanceForm = useForm({
    fields: operationFields('advanceClock', { seconds: { label: 'Seconds' } }),
    act: advance,
  });
  const setForm = useForm({
    fields: operationFields('setClock', {
      at: {
        label: 'Time (UTC)',
        placeholder: '2030-01-31 12:00',
        hint: 'A date, a date and time, or ISO 8601 with an offset.',
      },
    }),
    act: ({ at }: BodyOf<'setClock'>, pressed) => {
      const body = { at: isoTime(at) };
      return changeClock(
        pressed === 'freeze' ? control.POST('/clock/freeze', { body }) : control.POST('/clock/set', { body }),
      );
    },
  });
  return (
    <>
      <ViewHead title="Clock" hint="Token lifetimes and timestamps follow this world's time." />
      <Load of={clock}>{(loaded) => <ClockFace clock={loaded} />}</Load>
      <div class="columns">
        <Card title="Run or freeze">
          <div class="row">
            <ChangeButton kind="primary" act={() => changeClock(control.POST('/clock/freeze', { body: {} }))}>
              Freeze now
            </ChangeButton>
            <ChangeButton act={() => release('here')} disabled={!clock.data?.frozen}>
              Resume from here
            </ChangeButton>
            <ChangeButton act={() => release('machine')}>Reset to system time</ChangeButton>
          </div>
        </Card>
        <Card title="Advance">
          <div class="row">
            {steps.map(([name, seconds]) => (
              <ChangeButton key={name} label={`Advance by ${name}`} act={() => advance({ seconds })}>
                {`+${name}`}
              </ChangeButton>
            ))}
          </div>
          <Form form={advanceForm} submit="Advance" layout="inline" />
        </Card>
        <Card title="Set">
          <Form form={setForm} submit="Set time">
            <Button type="submit" value="freeze" busy={setForm.busy}>
              Freeze at this time
            </Button>
          </Form>
        </Card>
      </div>
    </>
  );
}

/** The current time. Ticks in the page too, from the server's latest response. */
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
    <div class="row clock-face">
      <time datetime={shown}>{formatTime(shown)}</time>
      <span class={`badge ${frozen ? 'warn' : 'good'}`}>{frozen ? 'frozen' : 'running'}</span>
      <span class="muted">
        {isOff
          ? `${formatDuration(offsetMilliseconds)} ${offsetMilliseconds > 0 ? 'ahead of' : 'behind'} system time`
          : 'system time'}
      </span>
    </div>
  );
}
