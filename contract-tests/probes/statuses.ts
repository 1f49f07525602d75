import { OPERATIONS } from '../api/operations.ts';
import { GARBAGE_TOKENS } from '../api/token-forms.ts';
import type { Session } from '../session/session.ts';
import { type Answer, isSuccess } from '../values/answer.ts';
import { invalidClaims, unknownPath } from './error-samples.ts';
import { agreeing, allowedStatus, type Probe, statusProbe, Undetermined, unexpected } from './probe.ts';
import { invalidUpdate, isRefusedAsInvalid, keysAs, memberAtAdminArea, NO_SUCH_VALUE, sendText } from './requests.ts';

type Send = (headers?: Record<string, string>) => Promise<Answer>;

function invalidRequests(session: Session, tenant: string): { what: string; send: Send }[] {
  const filter: Send = (headers) => session.apiKeys.of(tenant, { provider: NO_SUCH_VALUE }, headers);
  const analysis: Send = (headers) => invalidUpdate(session, headers);
  const mayWrite = session.config.allowWrites && session.target.resources?.recordingId !== undefined;
  return [
    { what: 'a made-up provider', send: filter },
    ...(mayWrite ? [{ what: 'analysis as text', send: analysis }] : []),
  ];
}

/** The status with which the protected reads refuse these headers: both have to agree. */
const credentialsProbe = (gap: string, how: string, headers: Record<string, string>, alike: string[] = []): Probe => ({
  gap,
  repeats: true,
  sends: `GET of the API keys and of the token scopes ${how}, twice each`,
  needs: ['resources.tenantId'],
  async observe(session) {
    const keys = await session.apiKeys.of(session.resource('tenantId'), {}, headers);
    const seen = [{ what: 'the API keys', value: allowedStatus(gap, keys) }];
    // Where the scopes' path is unknown, nothing can be said about it.
    const hasScopes = await session.scopes.path().then(
      () => true,
      () => false,
    );
    if (hasScopes) {
      const path = await session.scopes.path();
      const known = session.recall(
        ({ request }) =>
          alike.includes(request.headers.Authorization ?? '') && new URL(request.url).pathname.endsWith(path),
      );
      const scopes = known ?? (await session.scopes.of('admin', headers));
      seen.push({ what: 'the token scopes', value: allowedStatus(gap, scopes) });
    }
    return agreeing(seen, 'nothing was refused');
  },
});

/** The statuses of refusals, and which of two faults is refused first. */
export const statusProbes: Probe[] = [
  {
    gap: 'error-precedence',
    repeats: true,
    sends:
      'GET of the API keys with a made-up provider and (where writes are allowed) PATCH of the disposable recording with analysis as text: with and without credentials',
    needs: ['actors.admin', 'resources.tenantId'],
    async observe(session) {
      const tenant = session.resource('tenantId');
      const missing = (await session.apiKeys.of(tenant, {}, {})).response.status;
      const seen: { what: string; value: 'credentials' | 'validation' }[] = [];
      for (const { what, send } of invalidRequests(session, tenant)) {
        // Only what is refused with good credentials, too.
        const invalid = await send();
        if (!isRefusedAsInvalid(invalid) || invalid.response.status === missing) continue;
        const both = (await send({})).response.status;
        if (both !== missing && both !== invalid.response.status) {
          throw new Undetermined(
            `invalid gives ${invalid.response.status}, without credentials ${missing}, both ${both}`,
          );
        }
        seen.push({ what, value: both === missing ? 'credentials' : 'validation' });
      }
      return agreeing(seen, 'nothing that may be sent is refused as invalid with a status of its own');
    },
  },
  credentialsProbe('missing-credentials-status', 'without credentials', {}),
  credentialsProbe(
    'invalid-credentials-status',
    'with a token that means nothing',
    { Authorization: `Bearer ${GARBAGE_TOKENS[0]}` },
    GARBAGE_TOKENS.map((token) => `Bearer ${token}`),
  ),
  {
    gap: 'forbidden-status',
    sends: 'GET of the API keys as member, twice; where they are listed, of resources.otherTenantId as admin',
    needs: ['actors.admin', 'actors.member', 'resources.tenantId'],
    async observe(session) {
      const member = await memberAtAdminArea(session);
      if (!isSuccess(member)) return allowedStatus('forbidden-status', member);
      const other = session.target.resources?.otherTenantId;
      const foreign = other === undefined ? undefined : await keysAs(session, 'admin', other);
      // A 404 may be about the tenant rather than about what the caller may do.
      if (foreign && [401, 403].includes(foreign.response.status)) return foreign.response.status;
      throw new Undetermined('member may list the API keys, so nothing is known that is forbidden');
    },
  },
  {
    gap: 'validation-status',
    repeats: true,
    sends:
      'SSO with claims of the wrong type, which may make a user where signing in does, and PATCH of the disposable recording with analysis as text',
    writes: true,
    needs: [],
    async observe(session) {
      const claims = await invalidClaims(session);
      const seen = [{ what: 'claims of the wrong type', value: allowedStatus('validation-status', claims) }];
      if (session.config.allowWrites && session.target.resources?.recordingId && session.target.actors?.admin) {
        const analysis = await invalidUpdate(session);
        if (isRefusedAsInvalid(analysis)) seen.push({ what: 'analysis as text', value: analysis.response.status });
      }
      return agreeing(seen, 'nothing was refused');
    },
  },
  statusProbe({
    gap: 'malformed-json-status',
    sends: 'SSO with a body that breaks off',
    needs: [],
    send: (session) => sendText(session, '{"oid": "', 'application/json'),
  }),
  statusProbe({
    gap: 'media-type-status',
    sends: 'SSO with the claims of admin as text/plain',
    needs: ['actors.admin.sso'],
    async send(session) {
      // As application/json the same body succeeds.
      await session.signIn.ssoGrant('admin');
      return sendText(session, JSON.stringify(session.credentials('admin').sso), 'text/plain');
    },
  }),
  statusProbe({
    gap: 'method-status',
    sends: 'GET /v1/auth/sso',
    needs: [],
    send: (session) => session.send({ method: 'GET', path: OPERATIONS.sso.path }),
  }),
  {
    gap: 'options-requests',
    repeats: true,
    sends: 'OPTIONS /v1/auth/sso',
    needs: [],
    async observe(session) {
      const answer = await session.send({ method: 'OPTIONS', path: OPERATIONS.sso.path });
      if (answer.response.status === 204) return 'allow';
      const other = await session.send({ method: 'GET', path: OPERATIONS.sso.path });
      if (answer.response.status === other.response.status) return 'refuse';
      throw unexpected('OPTIONS', answer);
    },
  },
  {
    gap: 'missing-body',
    repeats: true,
    sends: 'POST /v1/auth/sso without a body, twice; with wrong claims, and as text/plain',
    needs: [],
    async observe(session) {
      const { status } = (await session.send({ method: 'POST', path: OPERATIONS.sso.path })).response;
      const invalid = await invalidClaims(session);
      if (status === invalid.response.status) return 'validation';
      const text = await sendText(session, '{}', 'text/plain');
      if (status === text.response.status) return 'media-type';
      throw new Undetermined(`it gets ${status}, wrong claims ${invalid.response.status}`);
    },
  },
  statusProbe({
    gap: 'unknown-path-status',
    sends: 'GET of an unknown path, as admin',
    needs: ['actors.admin'],
    send: unknownPath,
  }),
];
