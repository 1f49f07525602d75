import { latestMoment, machineTime } from '../../core/world/clock.ts';
import type { World } from '../../core/world/world.ts';
import type { Handlers } from '../call.ts';
import type { components } from '../control-types.ts';
import { invalid } from '../refusal.ts';

/** The world's time. Tokens, timestamps, limits and planned statuses follow it. */
export const clockHandlers: Handlers<'getClock' | 'freezeClock' | 'setClock' | 'advanceClock' | 'releaseClock'> = {
  getClock: ({ world }) => shown(world),
  freezeClock: ({ world, body }) =>
    moved(world, () => world.clock.freeze(body?.at === undefined ? undefined : momentOf(body.at))),
  setClock: ({ world, body }) => moved(world, () => world.clock.set(momentOf(body.at))),
  advanceClock: ({ world, body }) =>
    moved(world, () => {
      const milliseconds = Math.round(body.seconds * 1000);
      if (world.clock.now() + milliseconds >= latestMoment)
        throw invalid([{ field: 'seconds', message: 'leads beyond the year 2999', example: 3600 }]);
      world.clock.advance(milliseconds);
    }),
  releaseClock: ({ world, body }) =>
    moved(world, () => {
      if (body?.to === 'machine') world.clock.restore(machineTime);
      else world.clock.resume();
    }),
};

function momentOf(at: string): number {
  const time = Date.parse(at);
  if (time >= 0 && time < latestMoment) return time;
  throw invalid([
    { field: 'at', message: 'is out of range', allowed: 'from 1970 to 2999', example: '2030-01-01T00:00:00.000Z' },
  ]);
}

function moved(world: World, move: () => void): components['schemas']['Clock'] {
  move();
  world.touch();
  return shown(world);
}

const shown = ({ clock }: World): components['schemas']['Clock'] => ({
  now: clock.nowIso(),
  frozen: clock.isFrozen,
  offsetMilliseconds: Math.round(clock.ahead),
});
