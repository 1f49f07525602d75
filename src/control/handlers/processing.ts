import { advanceStatus, nextStatuses, planStatus } from '../../core/world/processing.ts';
import type { Handlers } from '../call.ts';
import { invalid, notFound, Refusal } from '../refusal.ts';

/** Processes recordings on request: an assumption, as the document shows no transitions (gap status-transitions). */
export const processingHandlers: Handlers<'processRecording'> = {
  processRecording: ({ world, params, body, assume }) => {
    assume('status-transitions');
    const { outcome = 'completed', steps, afterSeconds } = body ?? {};
    if (steps !== undefined && afterSeconds !== undefined)
      throw invalid([
        { field: 'steps', message: 'cannot be combined with afterSeconds', example: { outcome, afterSeconds } },
      ]);
    const recording = world.store.recordings.get(params.record);
    if (!recording) throw notFound(`There is no recording ${params.record}; GET /_mock/state/recordings lists them.`);
    if (nextStatuses(recording.status, world.answers).length === 0)
      throw new Refusal(
        'conflict',
        `The recording is ${recording.status}, which is final while the answer to status-transitions is ${world.answers.get('status-transitions')}.`,
        [
          {
            field: 'status',
            message: 'is final',
            allowed: 'pending or processing (PATCH /_mock/state/recordings/{id})',
          },
        ],
      );
    const planned = afterSeconds === undefined ? undefined : planStatus(world, recording, outcome, afterSeconds * 1000);
    const path = planned?.path ?? advanceStatus(world, recording, outcome, steps);
    return {
      recording: (world.store.recordings.get(recording.id) ?? recording) as never,
      path,
      ...(planned && { ends: { status: outcome, at: new Date(planned.at).toISOString() } }),
    };
  },
};
