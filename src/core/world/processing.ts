import type { Answers } from '../profiles/answers.ts';
import type { Recording, RecordingStatus } from './records.ts';
import type { World } from './world.ts';

// The document does not show how a recording is processed (part 3): this file is the assumption of the gap status-transitions.

type Outcome = Extract<RecordingStatus, 'completed' | 'failed'>;

/** The possible next statuses under the answers in force. */
export function nextStatuses(status: RecordingStatus, answers: Answers): readonly RecordingStatus[] {
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

/** The statuses that lead to the outcome, without the current one. */
function pathTo(status: RecordingStatus, outcome: Outcome, answers: Answers): RecordingStatus[] {
  const possible = nextStatuses(status, answers);
  const next = possible.includes(outcome) ? outcome : possible[0];
  if (next === undefined) return [];
  return next === outcome ? [next] : [next, ...pathTo(next, outcome, answers)];
}

/** Advances a status by `steps` or to the outcome; returns all statuses, starting with the previous one. */
export function advanceStatus(world: World, recording: Recording, outcome: Outcome, steps = Infinity) {
  const path = pathTo(recording.status, outcome, world.answers).slice(0, steps);
  const planned = world.planned.filter((plan) => plan.recording !== recording.id);
  if (planned.length < world.planned.length) world.set({ planned });
  for (const status of path) setStatus(world, recording.id, status, world.clock.now());
  return [recording.status, ...path];
}

/** Sets a recording to processing, and to the outcome once the world's clock has advanced by `milliseconds`. */
export function planStatus(world: World, recording: Recording, outcome: Outcome, milliseconds: number) {
  const steps = pathTo(recording.status, outcome, world.answers).length;
  const path = advanceStatus(world, recording, outcome, steps - 1);
  const at = world.clock.now() + milliseconds;
  world.set({ planned: [...world.planned, { recording: recording.id, status: outcome, at }] });
  applyDueStatuses(world);
  return { path, at };
}

/** Applies the planned status changes that are due. O(1) if none are planned. */
export function applyDueStatuses(world: World): void {
  if (world.planned.length === 0) return;
  const now = world.clock.now();
  const due = world.planned.filter(({ at }) => at <= now);
  if (due.length === 0) return;
  world.set({ planned: world.planned.filter(({ at }) => at > now) });
  for (const { recording, status, at } of due) {
    // It may have been deleted or edited meanwhile.
    const found = world.store.recordings.get(recording);
    if (found?.status === 'processing') setStatus(world, recording, status, at);
  }
}

function setStatus(world: World, id: string, status: RecordingStatus, at: number): void {
  const recording = world.store.recordings.get(id);
  if (recording) world.store.recordings.put({ ...recording, status, updated_at: new Date(at).toISOString() });
}
