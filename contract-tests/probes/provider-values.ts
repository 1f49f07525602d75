import { isSuccess } from '../wire/answers.ts';
import { type Probe, Undetermined } from './probe.ts';
import { listedKeys, NO_SUCH_VALUE } from './requests.ts';
import { enumerationOf, enumerationsIn } from './vocabulary.ts';

/** The document says that there are seven, so fewer do not answer the question. */
export const providerValues: Probe = {
  gap: 'provider-values',
  sends: 'GET of the API keys, whole and with a made-up provider',
  writes: false,
  needs: ['actors.admin', 'resources.tenantId'],
  async observe(session) {
    const listed = (await listedKeys(session)).map(({ provider }) => provider);
    const seen = new Set(listed.filter((provider) => typeof provider === 'string'));
    if (seen.size === 7) return [...seen].toSorted();
    const refusal = await session.apiKeys.of(session.resource('tenantId'), { provider: NO_SUCH_VALUE });
    const told = isSuccess(refusal) ? undefined : (enumerationOf(seen, refusal) ?? enumerationsIn(refusal)[0]);
    if (told?.length === 7) return told.toSorted();
    const known = [...new Set([...seen, ...(told ?? [])])].toSorted();
    throw new Undetermined(`${known.length} of seven are known: ${known.join(', ') || 'none is listed'}`);
  },
};
