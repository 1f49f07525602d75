import type { Probe } from './probe.ts';
import { extraFieldsOf, seenRecords } from './records.ts';

/** Any record with more fields than part 2 shows is enough. */
export const extraFields: Probe = {
  gap: 'extra-fields',
  sends: 'nothing of its own: the user of the SSO login, the API keys, the recording',
  writes: false,
  needs: ['actors.admin'],
  async observe(session) {
    return (await seenRecords(session)).some((seen) => extraFieldsOf(seen).length > 0) ? 'some' : 'none';
  },
};
