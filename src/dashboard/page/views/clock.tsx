import { useEffect, useState } from 'preact/hooks';
import { control, type Schemas, told } from '../api/client.ts';
import { useAction, useLoad } from '../api/hooks.ts';
import { useWorld } from '../api/world.tsx';
import type { ViewProps } from '../routes.ts';
import { useAnnounce } from '../ui/announce.tsx';
import { Button } from '../ui/button.tsx';
import { Card, ViewHead } from '../ui/card.tsx';
import { FailureNote } from '../ui/failure-note.tsx';
import { Field } from '../ui/field.tsx';
import { Load } from '../ui/load.tsx';
import { moment, span } from '../ui/time.ts';

type Clock = Schemas['Clock'];

const leaps = [
  ['1 minute', 60],
  ['1 hour', 3600],
  ['1 day', 86_400],
  ['30 days', 2_592_000],
] as const;

/** A moment as people type it: with a blank for the T, and UTC where nothing is said. */
const momentOf = (text: string): string => {
  const iso = text
    .trim()
    .replace(' UTC', 'Z')
    .replace(/^(\d{4}-\d\d-\d\d) /, '$1T');
  if (/^\d{4}-\d\d-\d\d$/.test(iso)) return `${iso}T00:00:00Z`;
  return /T[\d:.]+$/.test(iso) ? `${iso}${/T\d\d:\d\d$/.test(iso) ? ':00' : ''}Z` : iso;
};

/** The world's time: tokens and timestamps follow it. */
export function ClockView(_props: ViewProps) {
  const clock = useLoad(() => told(control.GET('/clock')));
  const world = useWorld();
  const announce = useAnnounce();
  const [at, setAt] = useState('');
  const [seconds, setSeconds] = useState('');
  const act = useAction(async (call: () => Promise<Clock>) => {
    const { now, frozen } = await call();
    await Promise.all([clock.reload(), world.reload()]);
    announce(`${frozen ? 'Frozen at' : 'It is'} ${moment(now)}`);
  });
  const advance = (by: number) => act.run(() => told(control.POST('/clock/advance', { body: { seconds: by } })));
  const moved = { at: momentOf(at) };
  return (
    <>
      <ViewHead title="Clock">Issuing and checking tokens follows this world's time, and so do timestamps.</ViewHead>
      <Load of={clock}>{(now) => <Face clock={now} />}</Load>
      <FailureNote failure={act.failure} />
      <div class="columns">
        <Card title="Let it run or stop">
          <div class="row">
            <Button
              kind="primary"
              onClick={() => act.run(() => told(control.POST('/clock/freeze', { body: {} })))}
              busy={act.busy}
            >
              Freeze now
            </Button>
            <Button
              onClick={() => act.run(() => told(control.POST('/clock/release', { body: { to: 'here' } })))}
              busy={act.busy}
              disabled={!clock.data?.frozen}
            >
              Go on from here
            </Button>
            <Button
              onClick={() => act.run(() => told(control.POST('/clock/release', { body: { to: 'machine' } })))}
              busy={act.busy}
            >
              Back to the machine's time
            </Button>
          </div>
        </Card>
        <Card title="Advance">
          <div class="row">
            {leaps.map(([name, by]) => (
              <Button key={name} label={`Advance by ${name}`} onClick={() => advance(by)} busy={act.busy}>
                +{name}
              </Button>
            ))}
          </div>
          <form
            class="row fields"
            onSubmit={(event) => {
              event.preventDefault();
              void advance(Number(seconds));
            }}
          >
            <Field
              label="Seconds"
              type="number"
              value={seconds}
              onInput={setSeconds}
              required
              wrong={act.failure?.about('seconds')}
            />
            <Button type="submit" busy={act.busy}>
              Advance
            </Button>
          </form>
        </Card>
        <Card title="Set">
          <form
            class="stack"
            onSubmit={(event) => {
              event.preventDefault();
              void act.run(() => told(control.POST('/clock/set', { body: moved })));
            }}
          >
            <Field
              label="Moment (UTC)"
              value={at}
              onInput={setAt}
              required
              placeholder="2030-01-31 12:00"
              wrong={act.failure?.about('at')}
              hint="A date, a date and time, or ISO 8601 with an offset."
            />
            <div class="row">
              <Button type="submit" busy={act.busy}>
                Set the time
              </Button>
              <Button
                busy={act.busy}
                disabled={at === ''}
                onClick={() => act.run(() => told(control.POST('/clock/freeze', { body: moved })))}
              >
                Freeze at it
              </Button>
            </div>
          </form>
        </Card>
      </div>
    </>
  );
}

/** The time itself; it ticks here too, from what the server said last. */
function Face({ clock: { now, frozen, offsetMilliseconds } }: { readonly clock: Clock }) {
  const [shown, setShown] = useState(now);
  useEffect(() => {
    setShown(now);
    if (frozen) return;
    const began = Date.now() - Date.parse(now);
    const timer = setInterval(() => setShown(new Date(Date.now() - began).toISOString()), 500);
    return () => clearInterval(timer);
  }, [now, frozen]);
  const isOff = Math.abs(offsetMilliseconds) >= 1000;
  return (
    <div class="clock-face">
      <time datetime={shown}>{moment(shown)}</time>
      <span class={`badge ${frozen ? 'warn' : 'good'}`}>{frozen ? 'frozen' : 'running'}</span>
      <span class="muted">
        {isOff
          ? `${span(offsetMilliseconds)} ${offsetMilliseconds > 0 ? 'ahead of' : 'behind'} the machine`
          : "the machine's time"}
      </span>
    </div>
  );
}
