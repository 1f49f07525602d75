import { isSuccess } from '../wire/answers.ts';
import { type Probe, Undetermined, unexpected } from './probe.ts';

/** SSO makes nothing that is kept, PAT creation does. */
export const successCodes: Probe = {
  gap: 'success-codes',
  sends: 'POST /v1/auth/sso and the one POST /v1/api-tokens of the run; GET of the API keys',
  writes: true,
  needs: ['actors.admin.sso', 'actors.admin'],
  async observe(session) {
    const { answer: sso } = await session.signIn.sso('admin');
    const pat = await session.pats.created('admin');
    for (const answer of [sso, pat]) if (!isSuccess(answer)) throw unexpected('A creation', answer);
    const statuses = `${sso.response.status} ${pat.response.status}`;
    const elsewhere = [await session.scopes.of('admin').catch(() => undefined)];
    if (session.target.resources?.tenantId) elsewhere.push(await session.apiKeys.all());
    if (session.target.resources?.recordingId) elsewhere.push(await session.recording.original());
    const others = elsewhere.filter((answer) => answer !== undefined && isSuccess(answer));
    const odd = others.find((answer) => answer?.response.status !== 200);
    if (odd) throw new Undetermined(`${odd.request.method} succeeds with ${odd.response.status}`);
    const known = { '200 201': 'creation-201', '200 200': 'always-200', '201 201': 'post-201' }[statuses];
    if (known) return known;
    throw new Undetermined(`SSO succeeds with ${sso.response.status}, PAT creation with ${pat.response.status}`);
  },
};
