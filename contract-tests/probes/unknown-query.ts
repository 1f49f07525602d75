import { isSuccess } from '../wire/answers.ts';
import type { Answer } from '../wire/request.ts';
import { agreeing, type Probe, twice } from './probe.ts';
import { keysAs, takenOrRefused } from './requests.ts';

const PARAMETER = 'no_such_parameter_probe';

/** The same reads without the parameter succeed. */
export const unknownQuery: Probe = {
  gap: 'unknown-query',
  sends: 'GET of the token scopes and of the API keys with a parameter that nobody knows, twice each',
  writes: false,
  needs: ['actors.admin'],
  async observe(session) {
    const seen: { what: string; value: 'ignore' | 'refuse' }[] = [];
    const note = (what: string, answer: Answer): void => {
      seen.push({ what, value: takenOrRefused(what, answer) === 'taken' ? 'ignore' : 'refuse' });
    };
    const scopes = await session.scopes.of('admin').catch(() => undefined);
    if (scopes && isSuccess(scopes)) {
      const path = `${await session.scopes.path()}?${PARAMETER}=1`;
      const headers = await session.signIn.authorization('admin');
      note('the token scopes', await twice(() => session.send({ method: 'GET', path, headers })));
    }
    if (session.target.resources?.tenantId && isSuccess(await session.apiKeys.all())) {
      note('the API keys', await keysAs(session, 'admin', session.resource('tenantId'), { [PARAMETER]: '1' }));
    }
    return agreeing(seen, 'neither the token scopes nor the API keys are answered without it');
  },
};
