import { latestMoment, machineTime } from '../../core/world/clock.ts';
import type { Handlers } from '../call.ts';
import { invalidField } from '../refusal.ts';
import { infoOf } from './about.ts';

/** The world's clock. Tokens, timestamps, limits and planned statuses follow it. */
export const clockHandlers = {
  changeClock: (call) => {
    const { clock } = call.world;
    const { machine, frozen, at, seconds = 0 } = call.body;
    const time = at === undefined ? undefined : timeOf(at);
    const before = clock.setting;
    if (machine) clock.restore(machineTime);
    if (frozen) clock.freeze();
    if (frozen === false) clock.resume();
    if (time !== undefined) clock.set(time);
    if (seconds > 0) clock.advance(Math.round(seconds * 1000));
    if (clock.now() < latestMoment) return infoOf(call);
    clock.restore(before);
    throw invalidField('seconds', 'leads beyond the year 2999', { example: 3600 });
  },
} satisfies Partial<Handlers>;

function timeOf(at: string): number {
  const time = Date.parse(at);
  if (time >= 0 && time < latestMoment) return time;
  throw invalidField('at', 'is out of range', { allowed: 'from 1970 to 2999', example: '2030-01-01T00:00:00.000Z' });
}
