import type { Answers } from '../profiles/answers.ts';
import type { Recording, RecordingStatus } from './records.ts';
import type { World } from './world.ts';

// How a recording is processed is not shown (part 3): all of this is the assumption of the gap status-transitions.

type Outcome = Extract<RecordingStatus, 'completed' | 'failed'>;

/** Statuses that may come next under the answers in force. */
export function waysFrom(status: RecordingStatus, answers: Answers): readonly RecordingStatus[] {
  switch (status) {
    case 'pending':
      return ['processing'];
    case 'processing':
      return ['completed', 'failed'];
    case 'failed':
      return answers.get('status-transitions') === 'retry' ? ['pending'] : [];
    case 'completed':
      return [];
  }
}

/** The statuses on the way to the outcome, without the one it has. */
function wayTo(status: RecordingStatus, outcome: Outcome, answers: Answers): RecordingStatus[] {
  const ways = waysFrom(status, answers);
  const next = ways.includes(outcome) ? outcome : ways[0];
  if (next === undefined) return [];
  return next === outcome ? [next] : [next, ...wayTo(next, outcome, answers)];
}

/**
 * Plays a recording's status forward, `steps` transitions or all of them.
 * @returns the statuses it went through, the one it had first
 */
export function playForward(world: World, recording: Recording, outcome: Outcome, steps = Infinity): RecordingStatus[] {
  const way = wayTo(recording.status, outcome, world.answers).slice(0, steps);
  forget(world, recording.id);
  for (const status of way) take(world, recording.id, status, world.clock.now());
  return [recording.status, ...way];
}

/** Has a recording processing at once, and done when the world's clock has moved on by `milliseconds`. */
export function planStatus(
  world: World,
  recording: Recording,
  outcome: Outcome,
  milliseconds: number,
): { readonly path: RecordingStatus[]; readonly at: number } {
  const way = wayTo(recording.status, outcome, world.answers);
  const path = playForward(world, recording, outcome, way.length - 1);
  const at = world.clock.now() + milliseconds;
  world.plan([...world.planned, { recording: recording.id, status: outcome, at }]);
  catchUp(world);
  return { path, at };
}

/** Lets happen what the world's clock has got to. Costs nothing where nothing is planned. */
export function catchUp(world: World): void {
  if (world.planned.length === 0) return;
  const now = world.clock.now();
  const due = world.planned.filter(({ at }) => at <= now);
  if (due.length === 0) return;
  world.plan(world.planned.filter(({ at }) => at > now));
  for (const { recording, status, at } of due) {
    // It may have been deleted, or edited to something that this does not follow.
    const found = world.store.recordings.get(recording);
    if (found?.status === 'processing') take(world, recording, status, at);
  }
}

function take(world: World, id: string, status: RecordingStatus, at: number): void {
  const recording = world.store.recordings.get(id);
  if (recording) world.store.recordings.put({ ...recording, status, updated_at: new Date(at).toISOString() });
}

const forget = (world: World, id: string): void => {
  if (world.planned.some(({ recording }) => recording === id))
    world.plan(world.planned.filter(({ recording }) => recording !== id));
};
