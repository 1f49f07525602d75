import type { Session } from '../session/session.ts';
import type { Answer } from '../wire/request.ts';
import { agreeing, type Probe, twice, Undetermined } from './probe.ts';
import { isRefusedAsInvalid, NO_SUCH_VALUE } from './requests.ts';

type Send = (headers?: Record<string, string>) => Promise<Answer>;

interface InvalidRequest {
  what: string;
  send: Send;
}

function invalidRequests(session: Session, tenant: string): InvalidRequest[] {
  const filter: Send = (headers) => session.apiKeys.of(tenant, { provider: NO_SUCH_VALUE }, headers);
  const analysis: Send = (headers) => session.recording.update({ analysis: 'no object' }, headers);
  const mayWrite = session.config.allowWrites && session.target.resources?.recordingId !== undefined;
  return [
    { what: 'a made-up provider', send: filter },
    ...(mayWrite ? [{ what: 'analysis as text', send: analysis }] : []),
  ];
}

/** Each invalid request is one that is refused with good credentials, too. */
export const errorPrecedence: Probe = {
  gap: 'error-precedence',
  sends:
    'GET of the API keys with a made-up provider and (where writes are allowed) PATCH of the disposable recording with analysis as text: with and without credentials',
  writes: false,
  needs: ['actors.admin', 'resources.tenantId'],
  async observe(session) {
    const tenant = session.resource('tenantId');
    const missing = (await twice(() => session.apiKeys.of(tenant, {}, {}))).response.status;
    const seen: { what: string; value: 'credentials' | 'validation' }[] = [];
    for (const { what, send } of invalidRequests(session, tenant)) {
      const invalid = await send();
      if (!isRefusedAsInvalid(invalid) || invalid.response.status === missing) continue;
      const both = (await twice(() => send({}))).response.status;
      if (both !== missing && both !== invalid.response.status) {
        throw new Undetermined(
          `invalid gives ${invalid.response.status}, without credentials ${missing}, both ${both}`,
        );
      }
      seen.push({ what, value: both === missing ? 'credentials' : 'validation' });
    }
    return agreeing(seen, 'nothing that may be sent is refused as invalid with a status of its own');
  },
};
