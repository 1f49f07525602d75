import type { Probe } from './probe.ts';
import { exchanged } from './refresh.ts';

/** The form in which the exchange succeeded. */
export const refreshRequest: Probe = {
  gap: 'refresh-request',
  sends: 'POST of a fresh refresh token to the likely paths, in three forms, until one succeeds',
  writes: false,
  needs: ['actors.admin.sso'],
  async observe(session) {
    return (await exchanged(session)).form;
  },
};
