import { type Probe, Undetermined } from './probe.ts';
import { takenOrRefused, update } from './requests.ts';

/** The refusal of other keys counts only where the known ones are taken. */
export const analysisStructure: Probe = {
  gap: 'analysis-structure',
  sends: 'PATCH of the disposable recording with analysis holding made-up keys, then the known ones, twice each',
  writes: true,
  needs: ['actors.admin', 'resources.recordingId'],
  async observe(session) {
    const anything = await update(session, { analysis: { no_such_key_probe: { nested: [1] } } });
    if (takenOrRefused('The update', anything) === 'taken') return 'any-object';
    const known = await update(session, { analysis: { key_topics: ['topic'], action_items: ['item'] } });
    if (takenOrRefused('The update with key_topics and action_items', known) === 'taken') return 'known-keys';
    throw new Undetermined('neither made-up keys nor key_topics and action_items are taken');
  },
};
