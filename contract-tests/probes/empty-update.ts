import type { Probe } from './probe.ts';
import { takenOrRefused, update } from './requests.ts';

/** An update of nothing changes nothing. */
export const emptyUpdate: Probe = {
  gap: 'empty-update',
  sends: 'PATCH of the disposable recording with {}, twice',
  writes: true,
  needs: ['actors.admin', 'resources.recordingId'],
  async observe(session) {
    const answer = await update(session, {});
    return takenOrRefused('The update', answer) === 'taken' ? 'accept' : 'refuse';
  },
};
