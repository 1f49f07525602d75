import { loadModel } from '../../plan/model.ts';
import { isSuccess } from '../../values/answer.ts';
import type { Caller } from '../asker.ts';
import { isQuick, mild, type Run, scopesOf } from './phase.ts';

/** The scopes of every caller that could be established. */
export async function scopes(run: Run): Promise<void> {
  for (const { id } of loadModel().scopes.dimensions.caller ?? []) {
    // Asked when it was established.
    if (id === 'admin.jwt') continue;
    if (isQuick(run) && !/^member\.jwt|admin\.(pat|login)/.test(id)) continue;
    // What the making of PATs asks as well is asked once.
    const { asker, session } = run;
    if (id === 'member.jwt' && (await asker.as(id)) && (await asker.findScopes()) !== undefined) {
      const answer = await asker.attempt('member.scopes', () => session.scopes.of('member'));
      if (answer && isSuccess(answer)) continue;
    }
    await scopesOf(run, id as Caller, mild('scopes'));
  }
}
