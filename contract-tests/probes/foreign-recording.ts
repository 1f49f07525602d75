import { isSuccess } from '../wire/answers.ts';
import { type Probe, twice, Undetermined, unexpected } from './probe.ts';
import { forbiddenStatus } from './requests.ts';

/** The recording is one that admin may update; member is somebody else of the tenant. */
export const foreignRecording: Probe = {
  gap: 'foreign-recording',
  sends: 'PATCH of the disposable recording, and of one with a made-up id, as member, twice each',
  writes: true,
  needs: ['actors.admin', 'actors.member', 'resources.recordingId'],
  async observe(session) {
    const control = await session.recording.original();
    if (!isSuccess(control)) throw unexpected('The update by its owner', control);
    const headers = await session.signIn.authorization('member');
    const foreign = await twice(() => session.recording.update({ summary: 'Summary by the contract suite.' }, headers));
    if (isSuccess(foreign)) return 'allow';
    const unknown = await twice(() => session.recording.updateUnknown('member'));
    const [status, other] = [foreign.response.status, unknown.response.status];
    const forbidden = await forbiddenStatus(session);
    if (status === other) {
      // It looks like an unknown one. Where that is what "not permitted" looks like as well, 404 is called hidden.
      if (status === 404 || (forbidden !== undefined && status !== forbidden)) return 'hide';
      if (status === forbidden) return 'forbid';
      throw new Undetermined(`both somebody else's and an unknown recording get ${status}`);
    }
    if (status === 403 || status === forbidden) return 'forbid';
    throw new Undetermined(`it is refused with ${status}, an unknown recording with ${other}`);
  },
};
