import { isSuccess, jsonOf } from '../wire/answers.ts';
import { type Probe, unexpected } from './probe.ts';

/** The path that answers is the one. */
export const scopesPath: Probe = {
  gap: 'scopes-path',
  sends: 'GET of the likely paths as admin, until one answers JSON',
  writes: false,
  needs: ['actors.admin'],
  async observe(session) {
    const path = await session.scopes.path();
    const answer = await session.scopes.of('admin');
    if (!isSuccess(answer) || jsonOf(answer) === undefined) throw unexpected(path, answer);
    return path;
  },
};
