import { NUMBER, numberAsTitle } from './number-as-title.ts';
import { type Probe, Undetermined } from './probe.ts';

/** The title is the one field that an update answers. */
export const wrongType: Probe = {
  gap: 'wrong-type',
  sends: 'PATCH of the disposable recording with a number as title, twice; the title is put back',
  writes: true,
  needs: ['actors.admin', 'resources.recordingId'],
  async observe(session) {
    const taken = await numberAsTitle(session);
    if (taken.kind === 'refused') return 'refuse';
    if (taken.title === String(NUMBER)) return 'coerce';
    throw new Undetermined(`the update was taken, but the title is ${JSON.stringify(taken.title)}`);
  },
};
