import type { Recording } from '../world/records.ts';
import { bodyFault, type Fault } from './fault.ts';

/** A fault that changes what an update leaves in the store, and answers with it. */
const updateFault = (
  fault: Omit<Fault, 'wrap'>,
  change: (before: Recording, after: Recording, sent: Readonly<Record<string, unknown>>) => Recording,
): Fault => ({
  ...fault,
  wrap: (behaviour) => ({
    ...behaviour,
    operations: {
      ...behaviour.operations,
      updateRecording: (world, request) => {
        const { recordings } = world.store;
        const before = recordings.get(request.params.recordingId);
        const response = behaviour.operations.updateRecording(world, request);
        const after = recordings.get(request.params.recordingId);
        if (!before || !after) return response;
        const changed = change(before, after, request.body);
        recordings.put(changed);
        const fields = response.body as Record<string, unknown>;
        const shown = Object.keys(fields).filter(
          (name) => changed[name as keyof Recording] !== after[name as keyof Recording],
        );
        return {
          body: { ...fields, ...Object.fromEntries(shown.map((name) => [name, changed[name as keyof Recording]])) },
        };
      },
    },
  }),
});

/** Faults of the recording's update (4.2). */
export const recordingFaults: readonly Fault[] = [
  updateFault(
    {
      id: 'title-truncated',
      description: 'An update cuts the title after 64 characters.',
      requirements: ['REC-22'],
    },
    (_before, after) => ({ ...after, title: after.title.slice(0, 64) }),
  ),
  updateFault(
    {
      id: 'update-flips-status',
      // Each time: a status that moved only once would look the same ever after, and nothing reads it beforehand.
      description: 'Each update turns the status from completed to failed, or back.',
      requirements: ['REC-40', 'REC-24'],
    },
    (before, after) => ({ ...after, status: before.status === 'completed' ? 'failed' : 'completed' }),
  ),
  updateFault(
    {
      id: 'filename-writable',
      description: 'An update writes filename too.',
      requirements: ['REC-31'],
    },
    (_before, after, sent) => (typeof sent.filename === 'string' ? { ...after, filename: sent.filename } : after),
  ),
  bodyFault({
    id: 'recording-no-language',
    description: 'An update answers with language missing.',
    requirements: ['REC-16'],
    operation: 'updateRecording',
    change: ({ language: _, ...body }) => body,
  }),
];
