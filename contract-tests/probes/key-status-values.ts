import { isSuccess } from '../wire/answers.ts';
import { type Probe, Undetermined } from './probe.ts';
import { listedKeys, NO_SUCH_VALUE } from './requests.ts';
import { enumerationOf, looksSecret } from './vocabulary.ts';

/** Those that are listed, or told by a refusal; that there are no others cannot be seen. */
export const keyStatusValues: Probe = {
  gap: 'key-status-values',
  sends: 'GET of the API keys, whole and with a made-up status',
  writes: false,
  needs: ['actors.admin', 'resources.tenantId'],
  async observe(session) {
    const listed = (await listedKeys(session)).map(({ status }) => status);
    const seen = new Set(listed.filter((status) => typeof status === 'string'));
    const filtered = await session.apiKeys.of(session.resource('tenantId'), { status: NO_SUCH_VALUE });
    const told = isSuccess(filtered) ? undefined : enumerationOf(seen, filtered);
    const known = [...(told ?? seen)].toSorted();
    if (known.length === 0) throw new Undetermined('no API key is listed');
    if (known.some(looksSecret)) throw new Undetermined('a status looks like a credential');
    return known;
  },
};
