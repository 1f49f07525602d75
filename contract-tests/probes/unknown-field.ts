import type { Probe } from './probe.ts';
import { takenOrRefused, update } from './requests.ts';

/** The field is one that no recording has, so that taking it changes nothing either. */
export const unknownField: Probe = {
  gap: 'unknown-field',
  sends: 'PATCH of the disposable recording with summary and a field that nobody knows, twice',
  writes: true,
  needs: ['actors.admin', 'resources.recordingId'],
  async observe(session) {
    const answer = await update(session, { summary: 'Summary by the contract suite.', no_such_field_probe: 'x' });
    return takenOrRefused('The update', answer) === 'taken' ? 'ignore' : 'refuse';
  },
};
