import type { Session } from '../session/session.ts';
import { agreeing, allowedStatus, twice } from './probe.ts';

/** The status with which the protected reads refuse these headers. */
export async function refusedAs(gap: string, session: Session, headers: Record<string, string>): Promise<number> {
  const keys = await twice(() => session.apiKeys.of(session.resource('tenantId'), {}, headers));
  const seen = [{ what: 'the API keys', value: allowedStatus(gap, keys) }];
  // Where nobody knows the scopes' path, nothing can be said about it.
  const hasScopes = await session.scopes.path().then(
    () => true,
    () => false,
  );
  if (hasScopes) {
    const scopes = await twice(() => session.scopes.of('admin', headers));
    seen.push({ what: 'the token scopes', value: allowedStatus(gap, scopes) });
  }
  return agreeing(seen, 'nothing was refused');
}
