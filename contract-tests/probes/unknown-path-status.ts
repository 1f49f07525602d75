import { allowedStatus, type Probe, twice } from './probe.ts';
import { UNKNOWN_PATH } from './refusals.ts';

/** With credentials, so that a refusal is not about them. */
export const unknownPathStatus: Probe = {
  gap: 'unknown-path-status',
  sends: 'GET of a path that nobody has, as admin, twice',
  writes: false,
  needs: ['actors.admin'],
  async observe(session) {
    const headers = await session.signIn.authorization('admin');
    const answer = await twice(() => session.send({ method: 'GET', path: UNKNOWN_PATH, headers }));
    return allowedStatus('unknown-path-status', answer);
  },
};
