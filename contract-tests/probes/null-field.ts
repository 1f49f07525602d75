import { NUMBER, numberAsTitle } from './number-as-title.ts';
import { type Probe, Undetermined } from './probe.ts';
import { takenOrRefused, update } from './requests.ts';

/** That null is taken shows by the success only. */
export const nullField: Probe = {
  gap: 'null-field',
  sends: 'PATCH of the disposable recording with null as summary, twice',
  writes: true,
  needs: ['actors.admin', 'resources.recordingId'],
  async observe(session) {
    const answer = await update(session, { summary: null });
    if (takenOrRefused('The update', answer) === 'refused') return 'refuse';
    // Nothing reads the summary back. Where a wrong type is ignored as well, null may be ignored, too.
    const { kind, title } = await numberAsTitle(session);
    if (kind === 'taken' && title !== String(NUMBER)) {
      throw new Undetermined('the update was taken, as is one with a number as title, which is ignored');
    }
    return 'clear';
  },
};
