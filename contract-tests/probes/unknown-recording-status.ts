import { isSuccess } from '../wire/answers.ts';
import { allowedStatus, type Probe, twice, unexpected } from './probe.ts';

/** The same update of a known recording succeeds. */
export const unknownRecordingStatus: Probe = {
  gap: 'unknown-recording-status',
  sends: 'PATCH of a recording with a made-up id, twice',
  writes: true,
  needs: ['actors.admin', 'resources.recordingId'],
  async observe(session) {
    const control = await session.recording.original();
    if (!isSuccess(control)) throw unexpected('The update of the known recording', control);
    return allowedStatus('unknown-recording-status', await twice(() => session.recording.updateUnknown('admin')));
  },
};
