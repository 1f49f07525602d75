import { isSuccess } from '../wire/answers.ts';
import { type Probe, Undetermined, unexpected } from './probe.ts';

/** The leanest bodies come first, so what precedes the success was refused. */
export const patCreateRequest: Probe = {
  gap: 'pat-create-request',
  sends: 'POST /v1/api-tokens with {}, {name}, {name, scopes} until one succeeds: at most one PAT is made',
  writes: true,
  needs: ['actors.admin'],
  async observe(session) {
    const created = await session.pats.created('admin');
    if (!isSuccess(created)) throw unexpected('POST /v1/api-tokens', created);
    const sent = Object.keys(JSON.parse(created.request.body ?? '{}') as object).join('-and-');
    if (session.config.leanPat !== true) throw new Undetermined('leaner bodies were not tried before the PAT was made');
    if (sent === '') return 'none';
    if (sent === 'name' || sent === 'name-and-scopes') return sent;
    throw new Undetermined(`the first body that was taken is ${created.request.body}`);
  },
};
