import type { components } from '../../core/spec/control-types.ts';
import { latestMoment, machineTime } from '../../core/world/clock.ts';
import type { World } from '../../core/world/world.ts';
import type { Handlers } from '../call.ts';
import { invalidField } from '../refusal.ts';

/** The world's clock. Tokens, timestamps, limits and planned statuses follow it. */
export const clockHandlers = {
  getClock: ({ world }) => clockOf(world),
  freezeClock: ({ world, body }) =>
    changeClock(world, () => world.clock.freeze(body?.at === undefined ? undefined : timeOf(body.at))),
  setClock: ({ world, body }) => changeClock(world, () => world.clock.set(timeOf(body.at))),
  advanceClock: ({ world, body }) =>
    changeClock(world, () => {
      const milliseconds = Math.round(body.seconds * 1000);
      if (world.clock.now() + milliseconds >= latestMoment)
        throw invalidField('seconds', 'leads beyond the year 2999', { example: 3600 });
      world.clock.advance(milliseconds);
    }),
  releaseClock: ({ world, body }) =>
    changeClock(world, () => {
      if (body?.to === 'machine') world.clock.restore(machineTime);
      else world.clock.resume();
    }),
} satisfies Partial<Handlers>;

function timeOf(at: string): number {
  const time = Date.parse(at);
  if (time >= 0 && time < latestMoment) return time;
  throw invalidField('at', 'is out of range', { allowed: 'from 1970 to 2999', example: '2030-01-01T00:00:00.000Z' });
}

function changeClock(world: World, change: () => void): components['schemas']['Clock'] {
  change();
  return clockOf(world);
}

const clockOf = ({ clock }: World): components['schemas']['Clock'] => ({
  now: clock.nowIso(),
  frozen: clock.isFrozen,
  offsetMilliseconds: Math.round(clock.ahead),
});
