import type { Probe } from './probe.ts';
import { exchanged } from './refresh.ts';

/** Only a success shows the path: a refusal may mean anything. */
export const refreshPath: Probe = {
  gap: 'refresh-path',
  sends: 'POST of a fresh refresh token to the likely paths, in three forms, until one succeeds',
  writes: false,
  needs: ['actors.admin.sso'],
  async observe(session) {
    return (await exchanged(session)).path;
  },
};
