import type { Answer } from '../target/request.ts';
import type { Session } from '../target/session.ts';
import { type Probe, twice, Undetermined } from './probe.ts';
import { isRefusedAsInvalid, NO_SUCH_VALUE } from './requests.ts';

type Send = (headers?: Record<string, string>) => Promise<Answer>;

function invalidRequests(session: Session, tenant: string): Send[] {
  const filter: Send = (headers) => session.apiKeys(tenant, { provider: NO_SUCH_VALUE }, headers);
  const analysis: Send = (headers) => session.update({ analysis: 'no object' }, headers);
  const mayWrite = session.config.allowWrites && session.target.resources?.recordingId !== undefined;
  return mayWrite ? [filter, analysis] : [filter];
}

/** Each invalid request is one that is refused with good credentials, too. */
export const errorPrecedence: Probe = {
  gap: 'error-precedence',
  sends:
    'GET of the API keys with a made-up provider, or (where writes are allowed) PATCH of the disposable recording with analysis as text: with and without credentials',
  writes: false,
  needs: ['actors.admin', 'resources.tenantId'],
  async observe(session) {
    const tenant = session.resource('tenantId');
    const missing = (await twice(() => session.apiKeys(tenant, {}, {}))).response.status;
    for (const send of invalidRequests(session, tenant)) {
      const invalid = await send();
      if (!isRefusedAsInvalid(invalid)) continue;
      if (invalid.response.status === missing) break;
      const both = (await twice(() => send({}))).response.status;
      if (both === missing) return 'credentials';
      if (both === invalid.response.status) return 'validation';
      throw new Undetermined(`invalid gives ${invalid.response.status}, without credentials ${missing}, both ${both}`);
    }
    throw new Undetermined('nothing that may be sent is refused as invalid with a status of its own');
  },
};
